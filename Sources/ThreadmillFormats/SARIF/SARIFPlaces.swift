import ThreadmillModel
import ThreadmillReporting

/// Places as SARIF names them: files as URIs, lines and columns as regions.
struct SARIFPlaces: Sendable {
  private static let base = "%SRCROOT%"

  private let context: ReportContext

  init(_ context: ReportContext) { self.context = context }

  /// The folder of the context, `nil` where there is none.
  var folder: JSON? {
    context.root.map { .object([.init("uri", .string(Self.fileURI($0)))]) }
  }

  var baseIDs: JSON? { folder.map { .object([.init(Self.base, $0)]) } }

  /// Of a frame with what happens there. A place that nobody knows is the project as a whole: a
  /// result without a file would make GitHub refuse all the others.
  func location(
    of frame: Frame?, id: Int? = nil, _ message: JSON? = nil, quotes: Bool = false
  ) -> JSON {
    let users = frame.flatMap { $0.hasLine ? $0 : nil }
    let physical = JSONReport.members(
      ("artifactLocation", users?.file.map(artifact) ?? artifact(".")),
      ("region", users.map(region)), ("contextRegion", quotes ? users.flatMap(line) : nil))
    return JSONReport.members(
      ("id", id.map { .integer($0) }), ("physicalLocation", physical),
      ("logicalLocations", frame.map { .array([logical($0)]) }), ("message", message))
  }

  /// A whole stack, system frames included.
  func stack(_ frames: Backtrace, thread: ThreadID, _ message: JSON) -> JSON? {
    guard !frames.isEmpty else { return nil }
    let json = frames.map { frame in
      JSONReport.members(
        ("location", stackLocation(of: frame)), ("module", frame.image.map(JSON.string)),
        ("threadId", .integer(thread.rawValue)))
    }
    return .object([.init("message", message), .init("frames", .array(json))])
  }

  private func stackLocation(of frame: Frame) -> JSON {
    guard !frame.hasLine else { return location(of: frame) }
    return .object([.init("logicalLocations", .array([logical(frame)]))])
  }

  private func logical(_ frame: Frame) -> JSON {
    .object([
      .init("fullyQualifiedName", .string(frame.name)), .init("kind", .string("function")),
    ])
  }

  /// A relative path is one from the root of the sources.
  private func artifact(_ file: String) -> JSON {
    let path = context.path(of: file)
    guard !path.hasPrefix("/") else { return .object([.init("uri", .string(Self.fileURI(path)))]) }
    return .object([
      .init("uri", .string(Self.encoded(path))), .init("uriBaseId", .string(Self.base)),
    ])
  }

  private func region(of frame: Frame) -> JSON {
    let line = frame.line.map { JSON.integer($0) }
    guard let column = frame.column, column > 0 else {
      return JSONReport.members(("startLine", line))
    }
    let start = units(before: column, in: sourceLine(of: frame)) + 1
    return JSONReport.members(
      ("startLine", line), ("startColumn", .integer(start)), ("endLine", line),
      ("endColumn", .integer(start + 1)))
  }

  private func line(of frame: Frame) -> JSON? {
    guard let number = frame.line, let text = sourceLine(of: frame) else { return nil }
    return .object([
      .init("startLine", .integer(number)),
      .init("snippet", .object([.init("text", .string(text))])),
    ])
  }

  private func sourceLine(of frame: Frame) -> String? {
    guard frame.hasLine, let file = frame.file, let number = frame.line,
      let lines = context.source(file), lines.indices.contains(number - 1)
    else { return nil }
    return lines[number - 1]
  }

  /// The compiler counts bytes. Without the line every letter counts as one of ASCII.
  private func units(before column: Int, in line: String?) -> Int {
    // A report from elsewhere may name any column; one more has to fit behind it.
    guard let line, column <= line.utf8.count else { return min(column, .max - 2) - 1 }
    return String(decoding: line.utf8.prefix(column - 1), as: UTF8.self).utf16.count
  }

  private static func fileURI(_ path: String) -> String { "file://" + encoded(path) }

  /// A path as part of a URI (RFC 3986): every byte that is not unreserved is written as its
  /// number, slashes aside.
  static func encoded(_ path: String) -> String {
    var result = ""
    for byte in path.utf8 {
      switch Unicode.Scalar(byte) {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "/":
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%\(digits.count < 2 ? "0" : "")\(digits)"
      }
    }
    return result
  }
}
