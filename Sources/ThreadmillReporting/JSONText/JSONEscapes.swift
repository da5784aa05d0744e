/// What the escapes of a string stand for, once the scanner has found them to be right.
enum JSONEscapes {
  /// - Parameter bytes: what stands between the quotes.
  static func text(of bytes: UnsafeRawBufferPointer) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\\") {
        position = append(escapeAt: position, of: bytes, to: &text)
      } else {
        text.append(byte)
        position += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the position behind it.
  private static func append(
    escapeAt start: Int, of bytes: UnsafeRawBufferPointer, to text: inout [UInt8]
  ) -> Int {
    let byte = bytes[start + 1]
    switch byte {
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      let (scalar, end) = scalar(at: start, of: bytes)
      text.append(contentsOf: String(scalar).utf8)
      return end
    default: text.append(byte)
    }
    return start + 2
  }

  /// That of `\uXXXX`, or of two of them that make a pair; half a pair gives U+FFFD.
  private static func scalar(
    at start: Int, of bytes: UnsafeRawBufferPointer
  ) -> (Unicode.Scalar, end: Int) {
    let (first, end) = (unit(at: start, of: bytes) ?? 0, start + 6)
    guard UTF16.isLeadSurrogate(first) else { return (Unicode.Scalar(first) ?? "\u{FFFD}", end) }
    guard let second = unit(at: end, of: bytes), UTF16.isTrailSurrogate(second) else {
      return ("\u{FFFD}", end)
    }
    let value = 0x10000 + ((UInt32(first) & 0x3FF) << 10) + (UInt32(second) & 0x3FF)
    return (Unicode.Scalar(value) ?? "\u{FFFD}", end + 6)
  }

  /// The code unit of the escape that begins here; `nil` where none does.
  private static func unit(at start: Int, of bytes: UnsafeRawBufferPointer) -> UInt16? {
    guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"),
      bytes[start + 1] == UInt8(ascii: "u")
    else { return nil }
    return bytes[start + 2..<start + 6].reduce(0) { unit, byte in
      unit << 4 | UInt16(hexDigit(byte) ?? 0)
    }
  }

  static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
