import Foundation
import Testing

/// One key for the whole process.
final class Keys: @unchecked Sendable {
  static let ofXCTest = Keys()
  static let ofSwiftTesting = Keys()

  private let lock = NSLock()
  private var isThere = true

  func take() -> Bool {
    lock.withLock {
      defer { isThere = false }
      return isThere
    }
  }
}

/// The first schedule takes what there is once in a process.
@Test func takesTheOnlyKey() { #expect(Keys.ofSwiftTesting.take(), "the key is gone") }
