extension Options {
  /// Reads `name=value` words over given values, and reports every mistake, not just the first.
  ///
  /// Words are separated by ASCII white space. Within double quotes white space belongs to the
  /// value, and `\"` and `\\` stand for `"` and `\`. An empty text changes nothing.
  package init(
    parsing text: String, from source: String = Options.variable, over defaults: Options = Options()
  ) throws(InvalidOptions) {
    self = defaults
    var errors: [OptionError] = []
    var seen: Set<String> = []
    var scanner = OptionScanner(text)
    while let word = scanner.next() {
      if let error = apply(word, seen: &seen) { errors.append(error) }
    }
    if !errors.isEmpty { throw InvalidOptions(source: source, errors: errors) }
  }

  private mutating func apply(_ word: OptionScanner.Word, seen: inout Set<String>) -> OptionError? {
    guard let entry = Self.table.first(where: { $0.name == word.name }) else {
      let nearest = Self.nearestName(to: word.name)
      return .unknownName(word.name, value: word.value, nearest: nearest)
    }
    if !word.isClosed { return .unclosedQuote(name: entry.name) }
    guard let value = word.value else {
      return .missingValue(name: entry.name, allowed: entry.allowed)
    }
    if !seen.insert(entry.name).inserted { return .repeated(name: entry.name, value: value) }
    if !entry.write(&self, value) {
      return .badValue(name: entry.name, value: value, allowed: entry.allowed)
    }
    return nil
  }

  /// The known name that takes the fewest edits; of several, the first of the alphabet.
  package static func nearestName(to name: String) -> String {
    let distances = table.map { (name: $0.name, distance: editDistance(name, $0.name)) }
    return distances.min { $0.distance < $1.distance }?.name ?? ""
  }

  /// How many characters have to be put in, taken out, replaced, or swapped with their neighbour
  /// (Damerau 1964; no character takes part in two edits).
  ///
  /// Only the first 64 characters of each are looked at; no name comes near that.
  package static func editDistance(_ a: String, _ b: String) -> Int {
    let a = Array(a.prefix(64))
    let b = Array(b.prefix(64))
    var (before, row) = ([Int](), Array(0...b.count))
    for (i, x) in a.enumerated() {
      var next = [i + 1]
      for (j, y) in b.enumerated() {
        var edits = min(row[j] + (x == y ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, a[i - 1] == y, x == b[j - 1] { edits = min(edits, before[j - 1] + 1) }
        next.append(edits)
      }
      (before, row) = (row, next)
    }
    return row[b.count]
  }
}

/// Cuts a list of options into words; knows quotes, and nothing about names.
struct OptionScanner {
  struct Word: Hashable {
    var name: String
    /// `nil` when there was no `=`.
    var value: String?
    /// `false` when the text ended within quotes.
    var isClosed: Bool
  }

  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  /// The next word, or `nil` at the end.
  mutating func next() -> Word? {
    rest = rest.drop(while: Self.isSpace)
    guard !rest.isEmpty else { return nil }
    let name = rest.prefix { !Self.isSpace($0) && $0 != UInt8(ascii: "=") }
    rest = rest[name.endIndex...]
    var word = Word(name: String(decoding: name, as: UTF8.self), value: nil, isClosed: true)
    guard rest.first == UInt8(ascii: "=") else { return word }
    rest.removeFirst()
    let (value, isClosed) = scanValue()
    word.value = value
    word.isClosed = isClosed
    return word
  }

  private mutating func scanValue() -> (value: String, isClosed: Bool) {
    var bytes: [UInt8] = []
    var isQuoted = false
    while let byte = rest.first, isQuoted || !Self.isSpace(byte) {
      rest.removeFirst()
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if isQuoted, byte == UInt8(ascii: "\\"), let next = rest.first, Self.isEscapable(next)
      {
        bytes.append(next)
        rest.removeFirst()
      } else {
        bytes.append(byte)
      }
    }
    return (String(decoding: bytes, as: UTF8.self), !isQuoted)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
  private static func isEscapable(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}
