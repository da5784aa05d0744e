/// Reads little-endian values one after the other, out of bytes that may be damaged.
///
/// Nothing is read beyond the end: such a read gives zero, `isBroken` is set, and the cursor stands
/// at its end from then on. So a loop that ends there ends, whatever the bytes say.
struct ByteCursor {
  private let base: UnsafeRawPointer?
  private(set) var position: Int
  private(set) var end: Int
  private(set) var isBroken = false

  init(_ bytes: UnsafeRawBufferPointer, at start: UInt64 = 0) {
    (base, end, position) = (bytes.baseAddress, bytes.count, bytes.count)
    if start <= UInt64(bytes.count) { position = Int(start) } else { isBroken = true }
  }

  var isAtEnd: Bool { position >= end }
  var remaining: Int { end - position }

  mutating func fail() { (position, isBroken) = (end, true) }

  /// Ends earlier: `length` bytes from here.
  mutating func limit(to length: UInt64) {
    if length <= UInt64(remaining) { end = position + Int(length) } else { fail() }
  }

  mutating func skip(_ count: UInt64) {
    if count <= UInt64(remaining) { position += Int(count) } else { fail() }
  }

  mutating func skip(_ count: Int) {
    if count <= remaining { position += count } else { fail() }
  }

  @inline(__always)
  mutating func load<T: FixedWidthInteger & UnsignedInteger>(_ type: T.Type) -> T {
    guard let base, remaining >= MemoryLayout<T>.size else {
      fail()
      return 0
    }
    let value = base.loadUnaligned(fromByteOffset: position, as: T.self)
    position += MemoryLayout<T>.size
    return T(littleEndian: value)
  }

  mutating func byte() -> UInt8 { load(UInt8.self) }
  mutating func half() -> UInt64 { UInt64(load(UInt16.self)) }
  mutating func word() -> UInt64 { UInt64(load(UInt32.self)) }
  mutating func giant() -> UInt64 { load(UInt64.self) }

  /// 1, 2, 3, 4 or 8 bytes; every other size is broken.
  mutating func unsigned(bytes size: Int) -> UInt64 {
    switch size {
    case 1: return UInt64(byte())
    case 2: return half()
    case 3: return half() | UInt64(byte()) << 16
    case 4: return word()
    case 8: return giant()
    default:
      fail()
      return 0
    }
  }

  /// LEB128; bits beyond the 64th are dropped.
  @inline(__always)
  mutating func unsignedLEB() -> UInt64 {
    var byte = load(UInt8.self)
    guard byte >= 0x80 else { return UInt64(byte) }
    var value = UInt64(byte & 0x7F)
    var shift: UInt64 = 7
    repeat {
      byte = load(UInt8.self)
      value |= UInt64(byte & 0x7F) << shift
      shift &+= 7
    } while byte >= 0x80
    return value
  }

  mutating func signedLEB() -> Int64 {
    var value: Int64 = 0
    var shift: Int64 = 0
    var byte: UInt8
    repeat {
      byte = load(UInt8.self)
      value |= Int64(byte & 0x7F) << shift
      shift &+= 7
    } while byte >= 0x80
    if shift < 64, byte & 0x40 != 0 { value |= -1 << shift }
    return value
  }

  @inline(__always)
  mutating func skipLEB() {
    while load(UInt8.self) >= 0x80 {}
  }

  /// The initial length of a unit, and whether it is in the 64-bit format.
  mutating func initialLength() -> (length: UInt64, is64: Bool) {
    let length = word()
    return length == 0xFFFF_FFFF ? (giant(), true) : (length, false)
  }

  /// The next byte, which is not taken; zero at the end.
  var byteAhead: UInt8 {
    guard let base, remaining > 0 else { return 0 }
    return base.load(fromByteOffset: position, as: UInt8.self)
  }

  /// Moves behind the zero byte that ends a text.
  mutating func skipText() {
    while load(UInt8.self) != 0 {}
  }

  /// The text up to the next zero byte; empty if there is none.
  mutating func text() -> String {
    let start = position
    skipText()
    guard let base, !isBroken else { return "" }
    let bytes = UnsafeRawBufferPointer(start: base + start, count: position - 1 - start)
    return String(decoding: bytes, as: UTF8.self)
  }
}
