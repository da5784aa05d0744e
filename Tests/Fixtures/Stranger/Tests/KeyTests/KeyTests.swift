import Dispatch
import Foundation
import Testing
import XCTest

/// Two guests get the same key only where the environment asks for it.
private let isCareless = ProcessInfo.processInfo.environment["KEY_IS_CARELESS"] != nil

/// One key of each test for the whole process.
final class Keys: @unchecked Sendable {
  static let ofGuests = Keys()
  static let ofAsserting = Keys()
  static let ofThrowing = Keys()
  static let ofEnding = Keys()
  static let ofWaiting = Keys()
  static let ofSome = Keys()
  static let ofOldGuests = Keys()

  private let lock = NSLock()
  private var isThere = true

  func take() -> Bool {
    guard isCareless else {
      return lock.withLock {
        defer { isThere = false }
        return isThere
      }
    }
    let seen = lock.withLock { isThere }
    lock.withLock { isThere = false }
    return seen
  }

  /// Returns the number of guests, of two, that got a key.
  func takeTwice() -> Int {
    let group = DispatchGroup()
    let got = Box()
    for _ in 0..<2 {
      DispatchQueue.global().async(group: group) {
        if self.take() { got.add() }
      }
    }
    group.wait()
    return got.count
  }
}

private final class Box: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  var count: Int { lock.withLock { number } }
  func add() { lock.withLock { number += 1 } }
}

/// Tests that can run once in a process, and that go wrong in one order of two guests where the
/// environment asks for it.
struct KeyTests {
  @Test func oneGuestGetsTheKey() { #expect(Keys.ofGuests.takeTwice() == 1) }

  @Test func asserts() {
    let count = Keys.ofAsserting.takeTwice()
    precondition(count == 1, "\(count) guests have the key")
  }

  @Test func throwsAnError() throws {
    struct WrongCount: Error {
      let count: Int
    }
    let count = Keys.ofThrowing.takeTwice()
    if count != 1 { throw WrongCount(count: count) }
  }

  @Test func endsTheProcess() {
    let count = Keys.ofEnding.takeTwice()
    if count == 2 { exit(3) }
    #expect(count == 1)
  }

  @Test func waitsForEver() async {
    guard Keys.ofWaiting.takeTwice() == 2 else { return }
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  @Test(arguments: [1, 2]) func oneOfSomeGetsTheKey(_ guests: Int) {
    #expect((guests == 1 ? 1 : Keys.ofSome.takeTwice()) == 1)
  }
}

extension KeyTests {
  /// The folder for temporary files is that of the environment, if the environment says so.
  @Test func findsItsFolder() {
    let environment = ProcessInfo.processInfo.environment
    guard let folder = environment["KEY_FOLDER"] else { return }
    #expect(environment["TMPDIR"] == folder)
  }

  /// Opposite orders of two locks, which do not meet.
  @Test func locksBothWays() {
    guard isCareless else { return }
    let (door, drawer, left) = (NSLock(), NSLock(), Box())
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      door.withLock { drawer.withLock {} }
      left.add()
    }
    DispatchQueue.global().async(group: group) {
      while left.count == 0 { sched_yield() }
      drawer.withLock { door.withLock {} }
    }
    group.wait()
  }
}

final class OldKeyTests: XCTestCase {
  func testOneGuestGetsTheKey() { XCTAssertEqual(Keys.ofOldGuests.takeTwice(), 1) }
}
