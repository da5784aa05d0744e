/// How JSON is told from other bytes, strictly after RFC 8259.
enum JSONText {
  /// How deep arrays and objects may nest: far more than a report needs, far less than a stack.
  static let deepest = 64
}

/// One walk over a JSON text, which leaves a token for each value and builds nothing else.
///
/// Invalid UTF-8, a byte order mark and a name twice in one object are rejected. An escaped
/// surrogate without its partner, which the grammar allows and no text can hold, becomes U+FFFD.
struct JSONScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  let stacks: KnownStacks
  var position = 0
  private(set) var tokens: [JSONToken] = []
  /// The known stack that was met last.
  private var lastStack: Int?
  /// Whether there is anything but ASCII.
  var hasOthers = false

  /// - Parameter stacks: those of other texts, for which there is one token each.
  static func tokens(
    of bytes: UnsafeBufferPointer<UInt8>, knowing stacks: KnownStacks
  ) throws(JSONSyntaxError) -> [JSONToken] {
    // Places are kept in 32 bits.
    if bytes.count >= Int(UInt32.max) {
      throw JSONSyntaxError(problem: .tooLong, offset: Int(UInt32.max))
    }
    var scanner = JSONScanner(bytes: bytes, stacks: stacks)
    // That of a report; fewer bytes for a token cost a copy.
    scanner.tokens.reserveCapacity(bytes.count / (stacks.isEmpty ? 8 : 64))
    do throws(JSONSyntaxError) {
      try scanner.scanValue(depth: 0)
      scanner.skipSpace()
      if scanner.position < bytes.count { throw scanner.error(.trailingBytes) }
    } catch {
      try checkUTF8(of: bytes)
      throw error
    }
    if scanner.hasOthers { try checkUTF8(of: bytes) }
    return scanner.tokens
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, stacks: KnownStacks) {
    self.bytes = bytes
    self.stacks = stacks
  }

  /// What is wrong with the encoding is wrong before anything else.
  private static func checkUTF8(
    of bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONSyntaxError) {
    if String(validating: bytes, as: UTF8.self) != nil { return }
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
    throw JSONSyntaxError(problem: .invalidUTF8, offset: offset)
  }

  // MARK: Values

  private mutating func scanValue(depth: Int) throws(JSONSyntaxError) {
    if depth > JSONText.deepest { throw error(.tooDeep) }
    skipSpace()
    guard let byte = peek else { throw unexpected }
    switch byte {
    case UInt8(ascii: "{"): try scanObject(depth: depth)
    case UInt8(ascii: "["): try scanArray(depth: depth)
    case UInt8(ascii: "\""): try scanString()
    case UInt8(ascii: "t"): try scanWord("true", .true)
    case UInt8(ascii: "f"): try scanWord("false", .false)
    case UInt8(ascii: "n"): try scanWord("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
    default: throw unexpected
    }
  }

  private mutating func scanWord(
    _ word: StaticString, _ sort: JSONToken.Sort
  ) throws(JSONSyntaxError) {
    let start = position
    for index in 0..<word.utf8CodeUnitCount {
      guard peek == word.utf8Start[index] else { throw unexpected }
      position += 1
    }
    add(sort, from: start)
  }

  private mutating func scanArray(depth: Int) throws(JSONSyntaxError) {
    if takeExpectedStack() { return }
    let whole = open(.array)
    skipSpace()
    if peek == UInt8(ascii: "]") {
      position += 1
    } else {
      repeat { try scanValue(depth: depth + 1) } while try !isListOver(UInt8(ascii: "]"))
    }
    close(whole)
    if isStack(whole) { takeScannedStack(whole) }
  }

  private mutating func scanObject(depth: Int) throws(JSONSyntaxError) {
    let whole = open(.object)
    skipSpace()
    if peek == UInt8(ascii: "}") {
      position += 1
    } else {
      var names = Names(first: whole + 1)
      repeat {
        skipSpace()
        guard peek == UInt8(ascii: "\"") else { throw unexpected }
        try scanString()
        try check(&names)
        skipSpace()
        try expect(UInt8(ascii: ":"))
        try scanValue(depth: depth + 1)
      } while try !isListOver(UInt8(ascii: "}"))
    }
    close(whole)
  }

  /// Takes the comma or the end of a list, and says which.
  private mutating func isListOver(_ end: UInt8) throws(JSONSyntaxError) -> Bool {
    skipSpace()
    if peek == UInt8(ascii: ",") {
      position += 1
      return false
    }
    try expect(end)
    return true
  }

  // MARK: Bytes and tokens

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipSpace() {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  mutating func expect(_ byte: UInt8) throws(JSONSyntaxError) {
    guard peek == byte else { throw unexpected }
    position += 1
  }

  func error(_ problem: JSONSyntaxError.Problem) -> JSONSyntaxError {
    JSONSyntaxError(problem: problem, offset: position)
  }

  /// The error of a byte that fits nothing, or of a text that is over.
  var unexpected: JSONSyntaxError { error(peek == nil ? .unexpectedEnd : .unexpectedByte) }

  /// A value without parts that ends here.
  mutating func add(_ sort: JSONToken.Sort, from start: Int) {
    tokens.append(
      JSONToken(
        sort: sort, start: UInt32(truncatingIfNeeded: start),
        end: UInt32(truncatingIfNeeded: position),
        next: UInt32(truncatingIfNeeded: tokens.count + 1)))
  }

  /// Begins a value that has parts; returns its place among the tokens.
  private mutating func open(_ sort: JSONToken.Sort) -> Int {
    position += 1
    add(sort, from: position - 1)
    return tokens.count - 1
  }

  private mutating func close(_ index: Int) {
    tokens[index].end = UInt32(truncatingIfNeeded: position)
    tokens[index].next = UInt32(truncatingIfNeeded: tokens.count)
  }

  // MARK: Stacks

  private mutating func takeExpectedStack() -> Bool {
    let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[position...])
    guard let (stack, count) = stacks.expected(behind: lastStack, at: rest) else { return false }
    position += count
    add(.knownStack, from: position - count)
    tokens[tokens.count - 1].stack = UInt32(truncatingIfNeeded: stack)
    lastStack = stack
    return true
  }

  /// One that came unexpectedly, so that the next is expected again.
  private mutating func takeScannedStack(_ whole: Int) {
    let start = Int(tokens[whole].start)
    let text = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<position])
    guard let stack = stacks.place(of: text) else { return }
    tokens.removeSubrange(whole...)
    add(.knownStack, from: start)
    tokens[whole].stack = UInt32(truncatingIfNeeded: stack)
    lastStack = stack
  }

  /// Whether an array looks as a report's stacks do.
  private func isStack(_ whole: Int) -> Bool {
    guard !stacks.isEmpty, whole + 2 < tokens.count, tokens[whole + 1].sort == .object,
      tokens[whole + 2].sort == .plainString
    else { return false }
    return "function".utf8.elementsEqual(bytes[tokens[whole + 2].inside])
  }
}
