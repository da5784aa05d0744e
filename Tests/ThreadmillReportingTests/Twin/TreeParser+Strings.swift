@testable import ThreadmillReporting

extension TreeParser {
  /// Reads one string with its quotes; the position is at the first of them.
  mutating func parseString() throws(JSONSyntaxError) -> String {
    var text: [UInt8] = []
    try expect("\"")
    var start = position
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        let rest = bytes[start..<position]
        advance()
        if text.isEmpty { return String(decoding: rest, as: UTF8.self) }
        text.append(contentsOf: rest)
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text.append(contentsOf: bytes[start..<position])
        try parseEscape(into: &text)
        start = position
      case 0x00...0x1F:
        throw error(.controlCharacter)
      default:
        advance()
      }
    }
    throw error(.unexpectedEnd)
  }

  private mutating func parseEscape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    let start = position
    advance()
    guard let byte = peek else { throw error(.unexpectedEnd) }
    advance()
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: Array(String(try parseScalar()).utf8))
    default: throw JSONSyntaxError(problem: .badEscape, offset: start)
    }
  }

  /// Reads what follows `\u`, and the other half of a pair if it is there; half a pair gives
  /// U+FFFD.
  private mutating func parseScalar() throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try parseHexDigits()
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
    let afterFirst = self
    guard peek == UInt8(ascii: "\\") else { return "\u{FFFD}" }
    advance()
    guard peek == UInt8(ascii: "u") else {
      self = afterFirst
      return "\u{FFFD}"
    }
    advance()
    let second = try parseHexDigits()
    guard UTF16.isTrailSurrogate(second) else {
      self = afterFirst
      return "\u{FFFD}"
    }
    let value = 0x10000 + ((UInt32(first) & 0x3FF) << 10) + (UInt32(second) & 0x3FF)
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func parseHexDigits() throws(JSONSyntaxError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek else { throw error(.unexpectedEnd) }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw error(.badEscape)
      }
      value = value << 4 | UInt16(digit)
      advance()
    }
    return value
  }
}
