import ThreadmillModel

#if canImport(Glibc)
  import Glibc
#endif

/// Stacks that were read before, by the very bytes that they were written with.
///
/// A campaign comes upon the same lines of code again and again, so most of what its reports hold
/// are stacks that are the same to the byte, and mostly in the same order. Where the scanner meets
/// the one that is expected, it compares the bytes and goes on behind it: a text that begins with a
/// whole array has this array there, whatever follows. So each is scanned, decoded and digested
/// once, and its memory shared.
package final class KnownStacks {
  /// More bytes are not remembered; what comes later is read each time.
  static let mostBytes = 64 << 20

  private struct Stack {
    var text: [UInt8]
    var frames: Backtrace
    /// See `ContentDigest`.
    var digest: UInt64
    /// The one that came behind it the last time, and another that did so before: where a lock was
    /// taken is told for each of two threads, and what follows it is not the same.
    var next: (last: Int?, other: Int?) = (nil, nil)
  }

  private var stacks: [Stack] = []
  private var places: [Int: [Int]] = [:]
  private var bytes = 0
  /// The one that was decoded last.
  private var last: Int?

  package init() {}

  var isEmpty: Bool { stacks.isEmpty }

  func frames(_ place: Int) -> Backtrace { stacks[place].frames }

  func digest(_ place: Int) -> UInt64 { stacks[place].digest }

  // MARK: Scanning

  /// The stack that begins here, if it is one that comes behind another.
  func expected(behind place: Int?, at text: UnsafeRawBufferPointer) -> (place: Int, count: Int)? {
    guard let place else { return nil }
    let next = stacks[place].next
    return begin(next.last, text) ?? begin(next.other, text)
  }

  private func begin(
    _ place: Int?, _ text: UnsafeRawBufferPointer
  ) -> (place: Int, count: Int)? {
    guard let place else { return nil }
    let count = stacks[place].text.count
    return count <= text.count && isText(of: place, text.prefix(count)) ? (place, count) : nil
  }

  /// The stack with this text.
  func place(of text: UnsafeRawBufferPointer) -> Int? {
    isEmpty ? nil : places[hash(text), default: []].first { isText(of: $0, text[...]) }
  }

  private func isText(of place: Int, _ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    stacks[place].text.withUnsafeBytes { known in
      let text = UnsafeRawBufferPointer(rebasing: text)
      guard known.count == text.count, let a = known.baseAddress, let b = text.baseAddress else {
        return false
      }
      return memcmp(a, b, known.count) == 0
    }
  }

  private func hash(_ text: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    return hasher.finalize()
  }

  // MARK: Decoding

  /// Another text begins: what came last is not followed by anything.
  func begin() { last = nil }

  /// A stack that was known when the text was scanned.
  func use(_ place: Int) {
    if let last, stacks[last].next.last != place {
      stacks[last].next = (place, stacks[last].next.last)
    }
    last = place
  }

  /// Remembers one that was not.
  func learn(_ text: UnsafeRawBufferPointer, _ frames: Backtrace, digest: UInt64) {
    if let place = place(of: text) { return use(place) }
    guard bytes + text.count <= Self.mostBytes else {
      last = nil
      return
    }
    bytes += text.count
    places[hash(text), default: []].append(stacks.count)
    stacks.append(Stack(text: Array(text), frames: frames, digest: digest))
    use(stacks.count - 1)
  }
}
