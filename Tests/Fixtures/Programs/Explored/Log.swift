import Synchronization

/// Notes of up to eight letters altogether, made without a lock: to make one is no step of a
/// schedule.
final class Log: Sendable {
  private let notes = Atomic<UInt64>(0)

  func note(_ word: String) {
    for letter in word.utf8 {
      var seen = notes.load(ordering: .relaxed)
      while true {
        let next = seen << 8 | UInt64(letter)
        let (exchanged, original) = notes.compareExchange(
          expected: seen, desired: next, ordering: .sequentiallyConsistent)
        if exchanged { break }
        seen = original
      }
    }
  }

  func take() -> String {
    let bytes = withUnsafeBytes(of: notes.load(ordering: .sequentiallyConsistent).bigEndian) {
      $0.drop { $0 == 0 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
