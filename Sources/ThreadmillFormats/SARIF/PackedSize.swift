/// How long a text is at most when gzip has packed it, for consumers that limit that.
///
/// Packs it in the simplest way that the format knows (RFC 1951, fixed codes; of earlier places
/// with the same four bytes only the last is tried) and counts the bits. gzip looks further and
/// chooses its codes, so it needs less: for reports about a half.
enum PackedSize {
  private static let window = 32_768
  private static let longestRepeat = 258
  /// Head and end of the file.
  private static let frame = 32

  static func limit(of bytes: [UInt8]) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var last = [Int32](repeating: -1, count: 1 << 15)
      var bits = 0
      var place = 0
      while place < bytes.count {
        let length = repeated(at: place, in: bytes, &last)
        if length.count == 0 {
          bits += 9
          place += 1
        } else {
          bits += cost(of: length.count, back: length.distance)
          place += length.count
        }
      }
      return bits / 8 + frame
    }
  }

  /// How much of what begins here stood elsewhere, and how far back; 0 for nothing.
  private static func repeated(
    at place: Int, in bytes: UnsafeBufferPointer<UInt8>, _ last: inout [Int32]
  ) -> (count: Int, distance: Int) {
    guard place + 4 <= bytes.count, place < Int(Int32.max) else { return (0, 0) }
    let key =
      UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      | UInt32(bytes[place + 3]) << 24
    let slot = Int((key &* 2_654_435_761) >> 17)
    let earlier = Int(last[slot])
    last[slot] = Int32(place)
    guard earlier >= 0, place - earlier <= window else { return (0, 0) }
    let most = min(longestRepeat, bytes.count - place)
    var count = 0
    while count < most, bytes[earlier + count] == bytes[place + count] { count += 1 }
    return count >= 4 ? (count, place - earlier) : (0, 0)
  }

  /// In bits: the codes' own, and what they leave open.
  private static func cost(of count: Int, back distance: Int) -> Int {
    let open = { (number: Int, spared: Int) in
      max(0, Int.bitWidth - number.leadingZeroBitCount - spared)
    }
    return 8 + open(count - 3, 3) + 5 + open(distance - 1, 2)
  }
}
