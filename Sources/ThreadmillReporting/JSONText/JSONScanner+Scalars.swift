extension JSONScanner {
  /// Goes over one string with its quotes; the position is at the first of them.
  mutating func scanString() throws(JSONSyntaxError) {
    let start = position
    var sort = JSONToken.Sort.plainString
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        add(sort, from: start)
        return
      }
      if byte == UInt8(ascii: "\\") {
        sort = .string
        try scanEscape()
        continue
      }
      if byte < 0x20 { throw error(.controlCharacter) }
      if byte >= 0x80 { (sort, hasOthers) = (.string, true) }
      position += 1
    }
    throw error(.unexpectedEnd)
  }

  private mutating func scanEscape() throws(JSONSyntaxError) {
    let start = position
    position += 1
    guard let byte = peek else { throw error(.unexpectedEnd) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return
    case UInt8(ascii: "u"):
      for _ in 0..<4 {
        guard let byte = peek else { throw error(.unexpectedEnd) }
        guard JSONEscapes.hexDigit(byte) != nil else { throw error(.badEscape) }
        position += 1
      }
    default: throw JSONSyntaxError(problem: .badEscape, offset: start)
    }
  }

  mutating func scanNumber() throws(JSONSyntaxError) {
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
    add(.number, from: start)
  }

  /// Skips at least one digit, and returns how many.
  private mutating func skipDigits() throws(JSONSyntaxError) -> Int {
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    if position == start { throw error(.badNumber) }
    return position - start
  }
}
