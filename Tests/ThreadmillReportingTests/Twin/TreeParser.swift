@testable import ThreadmillReporting

/// A JSON text as a tree: what the scanner and its readers are held against.
enum Tree: Hashable {
  case null
  case boolean(Bool)
  /// Its digits.
  case number(String)
  case string(String)
  case array([Tree])
  case object([Member])

  struct Member: Hashable {
    var name: String
    var value: Tree

    init(_ name: String, _ value: Tree) {
      self.name = name
      self.value = value
    }
  }
}

extension Tree {
  /// By the naive parser, which builds everything.
  init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    if let offset = Self.firstInvalidByte(of: bytes) {
      throw JSONSyntaxError(problem: .invalidUTF8, offset: offset)
    }
    var parser = TreeParser(bytes: bytes)
    self = try parser.parseValue(depth: 0)
    parser.skipSpace()
    if parser.position < bytes.count { throw parser.error(.trailingBytes) }
  }

  private static func firstInvalidByte(of bytes: [UInt8]) -> Int? {
    if bytes.allSatisfy({ $0 < 0x80 }) { return nil }
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    var offset = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }
}

/// A recursive descent over valid UTF-8.
struct TreeParser {
  let bytes: [UInt8]
  private(set) var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func parseValue(depth: Int) throws(JSONSyntaxError) -> Tree {
    if depth > 64 { throw error(.tooDeep) }
    skipSpace()
    guard let byte = peek else { throw unexpected }
    switch byte {
    case UInt8(ascii: "{"): return .object(try parseObject(depth: depth))
    case UInt8(ascii: "["): return .array(try parseArray(depth: depth))
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try parseWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
    default: throw unexpected
    }
  }

  mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  func error(_ problem: JSONSyntaxError.Problem) -> JSONSyntaxError {
    JSONSyntaxError(problem: problem, offset: position)
  }

  // The string parser in JSONParser+Strings.swift moves these two.
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
  mutating func advance(by count: Int = 1) { position += count }

  /// The error of a byte that fits nothing, or of a text that is over.
  var unexpected: JSONSyntaxError { error(peek == nil ? .unexpectedEnd : .unexpectedByte) }

  mutating func expect(_ byte: Unicode.Scalar) throws(JSONSyntaxError) {
    guard peek == UInt8(ascii: byte) else { throw unexpected }
    position += 1
  }

  private mutating func parseWord(_ word: String, _ value: Tree) throws(JSONSyntaxError) -> Tree {
    for scalar in word.unicodeScalars { try expect(scalar) }
    return value
  }

  private mutating func parseArray(depth: Int) throws(JSONSyntaxError) -> [Tree] {
    var elements: [Tree] = []
    try expect("[")
    skipSpace()
    if peek == UInt8(ascii: "]") {
      position += 1
      return elements
    }
    while true {
      elements.append(try parseValue(depth: depth + 1))
      if try isListOver("]") { return elements }
    }
  }

  private mutating func parseObject(depth: Int) throws(JSONSyntaxError) -> [Tree.Member] {
    var members: [Tree.Member] = []
    var manyNames: Set<String> = []
    try expect("{")
    skipSpace()
    if peek == UInt8(ascii: "}") {
      position += 1
      return members
    }
    members.reserveCapacity(8)
    while true {
      skipSpace()
      let start = position
      let name = try parseString()
      // A few names are compared faster than kept in a set.
      let isRepeated =
        members.count < 16
        ? members.contains { $0.name == name }
        : !manyNames.insert(name).inserted
      if isRepeated {
        throw JSONSyntaxError(problem: .repeatedName, offset: start)
      }
      skipSpace()
      try expect(":")
      members.append(Tree.Member(name, try parseValue(depth: depth + 1)))
      if members.count == 16 { manyNames = Set(members.map(\.name)) }
      if try isListOver("}") { return members }
    }
  }

  /// Takes the comma or the end of a list, and says which.
  private mutating func isListOver(_ end: Unicode.Scalar) throws(JSONSyntaxError) -> Bool {
    skipSpace()
    if peek == UInt8(ascii: ",") {
      position += 1
      return false
    }
    try expect(end)
    return true
  }

  private mutating func parseNumber() throws(JSONSyntaxError) -> String {
    let start = position
    if peek == UInt8(ascii: "-") { position += 1 }
    let firstDigit = peek
    let count = try skipDigits()
    if firstDigit == UInt8(ascii: "0"), count > 1 {
      throw JSONSyntaxError(problem: .badNumber, offset: start)
    }
    if peek == UInt8(ascii: ".") {
      position += 1
      _ = try skipDigits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      _ = try skipDigits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    return text
  }

  /// Skips at least one digit, and returns how many.
  private mutating func skipDigits() throws(JSONSyntaxError) -> Int {
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    if position == start { throw error(.badNumber) }
    return position - start
  }
}
