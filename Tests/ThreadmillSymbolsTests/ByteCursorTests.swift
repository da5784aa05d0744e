import Testing

@testable import ThreadmillSymbols

@Suite struct ByteCursorTests {
  private func reading<R>(_ bytes: [UInt8], _ body: (inout ByteCursor) -> R) -> R {
    bytes.withUnsafeBytes { buffer in
      var cursor = ByteCursor(buffer)
      return body(&cursor)
    }
  }

  /// The examples of DWARF 5, appendix C.
  @Test(
    arguments: [
      (2, [2]), (127, [127]), (128, [0x80, 1]), (129, [0x81, 1]), (12_857, [0xB9, 0x64]),
    ] as [(UInt64, [UInt8])])
  func unsignedNumbers(_ value: UInt64, _ bytes: [UInt8]) {
    #expect(reading(bytes) { $0.unsignedLEB() } == value)
  }

  @Test(
    arguments: [
      (2, [2]), (-2, [0x7E]), (127, [0xFF, 0]), (-127, [0x81, 0x7F]), (128, [0x80, 1]),
      (-128, [0x80, 0x7F]), (-129, [0xFF, 0x7E]),
    ] as [(Int64, [UInt8])])
  func signedNumbers(_ value: Int64, _ bytes: [UInt8]) {
    #expect(reading(bytes) { $0.signedLEB() } == value)
  }

  @Test func aNumberOfMoreThan64BitsLosesThem() {
    let long = [UInt8](repeating: 0xFF, count: 30) + [1]
    #expect(reading(long) { $0.unsignedLEB() } == .max)
    #expect(reading(long) { ($0.signedLEB(), $0.isAtEnd, $0.isBroken) } == (-1, true, false))
  }

  @Test func numbersOfEverySize() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let values = [1, 2, 3, 4, 8].map { size in reading(bytes) { $0.unsigned(bytes: size) } }
    #expect(values == [0x1, 0x201, 0x3_0201, 0x403_0201, 0x807_0605_0403_0201])
    #expect(reading(bytes) { ($0.unsigned(bytes: 5), $0.isBroken) } == (0, true))
  }

  /// Beyond the end there are zeroes, and the cursor says so.
  @Test func nothingIsReadBeyondTheEnd() {
    let whole = reading([1, 2, 3]) { cursor in
      (cursor.half(), cursor.isBroken, cursor.half(), cursor.isBroken, cursor.isAtEnd)
    }
    #expect(whole == (0x201, false, 0, true, true))
    #expect(reading([0x80, 0x80]) { ($0.unsignedLEB(), $0.isBroken) } == (0, true))
    #expect(reading([]) { ($0.byte(), $0.isBroken) } == (0, true))
    #expect(reading([65, 66]) { ($0.text(), $0.isBroken) } == ("", true))
    #expect(reading([65, 66, 0]) { ($0.text(), $0.isBroken) } == ("AB", false))
  }

  @Test func limitsAndStartsOutsideAreBroken() {
    #expect(
      reading([1, 2]) { cursor in
        cursor.limit(to: 3)
        return cursor.isBroken
      })
    #expect(
      reading([1, 2]) { cursor in
        cursor.skip(UInt64.max)
        return cursor.isBroken
      })
    let cut = reading([1, 2]) { cursor in
      cursor.limit(to: 1)
      return (cursor.byte(), cursor.byte(), cursor.isBroken)
    }
    #expect(cut == (1, 0, true))
    [1, 2].withUnsafeBytes { #expect(ByteCursor($0, at: .max).isBroken) }
  }
}
