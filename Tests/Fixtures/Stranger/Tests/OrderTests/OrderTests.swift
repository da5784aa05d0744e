import Dispatch
import XCTest

/// Counts guests, and loses one of two that enter at once if it is careless.
private final class Door: @unchecked Sendable {
  private let lock = NSLock()
  private var guests = 0

  var count: Int { lock.withLock { guests } }
  func enter() {
    guard isCareless else { return lock.withLock { guests += 1 } }
    let seen = count
    lock.withLock { guests = seen + 1 }
  }
}

private struct TooFew: Error {}

/// Guests enter in two steps only where the environment asks for it.
private let isCareless = ProcessInfo.processInfo.environment["DOOR_IS_CARELESS"] != nil

final class OrderTests: XCTestCase {
  private var door: Door!
  /// Of this instance: a second run on it would begin with one.
  private var runs = 0

  override func setUp() {
    super.setUp()
    door = Door()
    runs += 1
  }

  override func tearDown() {
    XCTAssertEqual(runs, 1)
    door = nil
    super.tearDown()
  }

  func testBlocks() {
    let door = self.door!
    DispatchQueue.concurrentPerform(iterations: 2) { _ in door.enter() }
    XCTAssertEqual(door.count, 2)
  }

  func testThrows() throws {
    let door = self.door!
    let group = DispatchGroup()
    for _ in 0..<2 { DispatchQueue.global().async(group: group) { door.enter() } }
    group.wait()
    if door.count < 2 { throw TooFew() }
  }

  func testTasks() async {
    let door = self.door!
    async let one: Void = door.enter()
    async let two: Void = door.enter()
    _ = await (one, two)
    XCTAssertEqual(door.count, 2)
  }

  func testWaitsForExpectations() {
    let door = self.door!
    let expected = (0..<2).map { expectation(description: "guest \($0)") }
    for one in expected {
      DispatchQueue.global().async {
        door.enter()
        one.fulfill()
      }
    }
    wait(for: expected, timeout: 5)
    XCTAssertEqual(door.count, 2)
  }

  func testFulfilsExpectations() async {
    let door = self.door!
    let expected = expectation(description: "guest")
    Task {
      door.enter()
      expected.fulfill()
    }
    await fulfillment(of: [expected], timeout: 5)
    XCTAssertEqual(door.count, 1)
  }

  func testComesLater() {
    let later = expectation(description: "later")
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { later.fulfill() }
    wait(for: [later], timeout: 5)
  }

  /// Too many steps for a schedule.
  func testIsLong() {
    let door = self.door!
    for _ in 0..<60_000 { door.enter() }
    XCTAssertEqual(door.count, 60_000)
  }

  /// What the usual run has taken is gone afterwards, in every order.
  func testTakesTheOnlyKey() {
    XCTAssertTrue(Keys.ofXCTest.take(), "the key is gone")
  }

  func testMeasures() {
    let door = self.door!
    measure { door.enter() }
  }

  func testSkips() throws { throw XCTSkip("not today") }
}
