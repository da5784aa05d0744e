import ThreadmillModel

extension Suppressions {
  /// Reads a file; any bytes give entries, or all that is wrong with them.
  package init(parsing bytes: [UInt8], file: String) throws(Malformed) {
    var parser = SuppressionsParser()
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() { parser.read(line, number: index + 1) }
    parser.endEntry()
    guard parser.problems.isEmpty else {
      throw Malformed(file: file, problems: parser.problems.sorted { $0.line < $1.line })
    }
    self.init(file: file, entries: parser.entries)
  }
}

/// Reads line by line, and goes on behind what is wrong.
private struct SuppressionsParser {
  private(set) var entries: [Suppression] = []
  private(set) var problems: [Suppressions.Problem] = []
  /// What is being read; its reason is empty until it came.
  private var entry: Suppression?
  /// Whether something was said about it, so that what it lacks may be a mistyped line.
  private var isFaulty = false

  private enum Word: String, CaseIterable {
    case suppress, function, file, reason, until
  }

  mutating func read(_ line: ArraySlice<UInt8>, number: Int) {
    guard let text = String(validating: line, as: UTF8.self) else {
      return complain(number, "this is not UTF-8; expected text")
    }
    let blanks: Set<Unicode.Scalar> = [" ", "\t", "\r"]
    var scalars = text.unicodeScalars[...]
    while let last = scalars.last, blanks.contains(last) { scalars.removeLast() }
    scalars = scalars.drop(while: blanks.contains)
    guard let first = scalars.first, first != "#" else { return }
    let word = scalars.prefix { !blanks.contains($0) }
    let value = String(scalars[word.endIndex...].drop(while: blanks.contains))
    read(String(word), value, number)
  }

  private mutating func read(_ word: String, _ value: String, _ number: Int) {
    guard let known = Word(rawValue: word) else {
      let words = Word.allCases.map(\.rawValue)
      return complain(
        number, "\(Self.quoted(word)) is not known; \(Self.choice(words, near: word))")
    }
    if known == .suppress { return begin(value, number) }
    guard entry != nil else {
      // After a `suppress` that was wrong, one complaint is enough.
      if !isFaulty { complain(number, "expected \"suppress KIND\" before \(Self.quoted(word))") }
      return
    }
    guard !value.isEmpty else {
      return complain(number, "\(Self.quoted(word)) stands alone; expected \(Self.wanted(known))")
    }
    switch known {
    case .suppress: break
    case .function: entry?.functions.append(Glob(value))
    case .file: entry?.files.append(Glob(value))
    case .reason: takeReason(value, number)
    case .until: takeDay(value, number)
    }
  }

  private mutating func begin(_ value: String, _ number: Int) {
    endEntry()
    isFaulty = false
    let kind = Finding.Kind(rawValue: value)
    if kind != nil || value == "any" {
      entry = Suppression(kind: kind, reason: "", line: number)
    } else {
      let kinds = ["any"] + Finding.Kind.allCases.map(\.rawValue)
      complain(
        number,
        "\(Self.quoted(value)) is no kind of finding; \(Self.choice(kinds, near: value))")
    }
  }

  private mutating func takeReason(_ value: String, _ number: Int) {
    if entry?.reason != "" {
      return complain(number, "\"reason\" is there twice; expected it once in an entry")
    }
    entry?.reason = value
  }

  private mutating func takeDay(_ value: String, _ number: Int) {
    if entry?.until != nil {
      return complain(number, "\"until\" is there twice; expected it at most once in an entry")
    }
    guard let day = Day(text: value) else {
      return complain(
        number, "\(Self.quoted(value)) is no day; expected \(Self.wanted(.until))")
    }
    entry?.until = day
  }

  /// Keeps what was read, if it is whole.
  mutating func endEntry() {
    guard let whole = entry else { return }
    entry = nil
    guard !isFaulty else { return }
    if whole.functions.isEmpty && whole.files.isEmpty {
      complain(
        whole.line,
        "this entry would suppress everything; expected a line \"function\" or \"file\"")
    }
    if whole.reason.isEmpty {
      complain(whole.line, "this entry gives no reason; expected a line \"reason\"")
    }
    if !isFaulty { entries.append(whole) }
  }

  private mutating func complain(_ line: Int, _ text: String) {
    isFaulty = true
    problems.append(.init(line: line, text))
  }

  private static func wanted(_ word: Word) -> String {
    switch word {
    case .suppress: "a kind of finding, or any"
    case .function: "the name of a function, in which * stands for any text"
    case .file: "the path of a file, in which * stands for any text"
    case .reason: "why these findings do not count"
    case .until: "the last day on which it counts, such as 2027-01-31"
    }
  }

  private static func quoted(_ word: String) -> String { "\"\(word.printable)\"" }

  /// The nearest of them, then all.
  private static func choice(_ words: [String], near word: String) -> String {
    // A long line is no mistyped word, and would take its time.
    let near = word.utf8.count > 100 ? nil : Self.nearest(words, word)
    let nearest = near.map { "nearest: \($0); " } ?? ""
    return "\(nearest)expected one of \(words.joined(separator: ", "))"
  }

  private static func nearest(_ words: [String], _ word: String) -> String? {
    words.min { Options.editDistance(word, $0) < Options.editDistance(word, $1) }
  }
}
