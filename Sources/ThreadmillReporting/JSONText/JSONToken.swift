/// Where one value, or one name, of a JSON text stands, and of what sort it is.
///
/// The tokens of a text stand in the order of their first bytes: behind an object come, for each of
/// its members, the name and the value; behind an array its elements.
struct JSONToken {
  enum Sort: UInt8 {
    case null, `true`, `false`, number, array, object
    /// Text that is its own bytes between the quotes, all of them ASCII.
    case plainString
    /// Text with escapes or with other bytes.
    case string
    /// An array that `KnownStacks` has; no tokens stand for its elements.
    case knownStack
  }

  var sort: Sort
  /// The first byte of the value; for text, its quote.
  var start: UInt32
  /// Behind the last byte.
  var end: UInt32
  /// The first token that is not part of this value.
  var next: UInt32
  /// Where `KnownStacks` has it.
  var stack: UInt32 = 0

  /// The bytes of the value.
  var range: Range<Int> { Int(start)..<Int(end) }
  /// Those of a text without its quotes.
  var inside: Range<Int> { Int(start) + 1..<Int(end) - 1 }
}

/// A JSON text that was found to be one, for as long as `JSONReader.read` lends it.
struct JSONTokens {
  let bytes: UnsafeBufferPointer<UInt8>
  let tokens: UnsafeBufferPointer<JSONToken>

  subscript(index: Int) -> JSONToken { tokens[index] }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[range])
  }

  /// Of a token that is a text.
  func text(_ token: JSONToken) -> String {
    if token.sort == .plainString { return String(decoding: bytes(token.inside), as: UTF8.self) }
    return JSONEscapes.text(of: bytes(token.inside))
  }

  /// Whether a token that is a text says this.
  func isText(_ token: JSONToken, _ other: StaticString) -> Bool {
    guard token.sort == .plainString else { return text(token) == other.description }
    let range = token.inside
    guard range.count == other.utf8CodeUnitCount else { return false }
    for offset in 0..<range.count
    where bytes[range.lowerBound + offset] != other.utf8Start[offset] { return false }
    return true
  }
}
