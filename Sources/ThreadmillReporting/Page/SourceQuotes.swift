import ThreadmillModel

/// The lines of source around the places of a report, each file asked for once.
struct SourceQuotes {
  struct Line: Hashable {
    var number: Int
    /// Whether it is the line of the place; others are around it.
    var isPlace: Bool
    /// The text, in three parts: the marked one begins at the place's column.
    var before: String
    var marked = ""
    var after = ""
  }

  private static let linesAround = 2
  /// A line that is longer, such as one that a machine wrote, is not quoted.
  private static let longestLine = 400

  private let files: [String: [String]]

  init(_ report: Report, _ context: ReportContext) {
    var files: [String: [String]] = [:]
    var asked: Set<String> = []
    for finding in report.findings {
      for case let path? in finding.stacks.joined().lazy.filter({ !$0.isSystem }).map(\.file)
      where asked.insert(path).inserted {
        files[path] = context.source(path)
      }
    }
    self.files = files
  }

  /// `nil` where the source is not to be had, or is no longer that of the report.
  func lines(at frame: Frame) -> [Line]? {
    guard let file = frame.file.flatMap({ files[$0] }), let line = frame.line,
      file.indices.contains(line - 1), file[line - 1].utf8.count <= Self.longestLine
    else { return nil }
    let around = (line - Self.linesAround...line + Self.linesAround).filter {
      file.indices.contains($0 - 1) && file[$0 - 1].utf8.count <= Self.longestLine
    }
    return around.map { number in
      number == line
        ? Self.place(number, file[number - 1], column: frame.column)
        : Line(number: number, isPlace: false, before: file[number - 1])
    }
  }

  /// Columns count bytes from 1. What is marked is a name, or one character.
  private static func place(_ number: Int, _ text: String, column: Int?) -> Line {
    let plain = Line(number: number, isPlace: true, before: text)
    guard let column, column > 0, column <= text.utf8.count else { return plain }
    let start = text.utf8.index(text.startIndex, offsetBy: column - 1)
    guard start.samePosition(in: text.unicodeScalars) != nil else { return plain }
    let name = text[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let end = name.isEmpty ? text.index(after: start) : name.endIndex
    return Line(
      number: number, isPlace: true, before: String(text[..<start]),
      marked: String(text[start..<end]), after: String(text[end...]))
  }
}

extension Finding {
  /// Every stack that a reader can be shown.
  fileprivate var stacks: [Backtrace] {
    let threads = participants + (confirmation?.deadlock ?? [])
    return threads.flatMap { [$0.frames, $0.submitted] + $0.holds.map(\.frames) }
      + facts.map(\.frames) + objects.map(\.created)
  }
}
