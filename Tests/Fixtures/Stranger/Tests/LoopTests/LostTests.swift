import XCTest

/// A signal that one task awaits. It is lost between the look and the wait if it is careless.
private final class Bell: @unchecked Sendable {
  private let lock = NSLock()
  private var hasRung = false
  private var listener: CheckedContinuation<Void, Never>?

  func ring() {
    let waiting = lock.withLock {
      hasRung = true
      return listener
    }
    waiting?.resume()
  }

  func listen(carelessly: Bool) async {
    if carelessly, lock.withLock({ hasRung }) { return }
    await withCheckedContinuation { continuation in
      let isOver = lock.withLock {
        if !carelessly, hasRung { return true }
        listener = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}

final class LostTests: XCTestCase {
  /// Whether the test has run before: it never hangs as it is.
  nonisolated(unsafe) private static var hasRun = false

  func testListens() async {
    let bell = Bell()
    async let _ = bell.ring()
    await bell.listen(carelessly: Self.hasRun)
    Self.hasRun = true
  }

  /// XCTest looks again and again whether the test has ended, and that is no standstill.
  func testSleeps() async throws {
    let ended = expectation(description: "ended")
    Task {
      try await Task.sleep(for: .seconds(1))
      ended.fulfill()
    }
    await fulfillment(of: [ended], timeout: 2)
  }
}
