import Dispatch
import Foundation
import ThreadmillXCTest
import XCTest

/// The saws of a shed; who asks how many there are and then takes one may come too late.
private final class Saws: @unchecked Sendable {
  private let lock = NSLock()
  private var left = 1

  var count: Int { lock.withLock { left } }
  func take() { lock.withLock { left -= 1 } }
  /// In two steps.
  func takeIfAnyAreLeft() { if count > 0 { take() } }
  func takeIfThere() { lock.withLock { if left > 0 { left -= 1 } } }
}

private struct NoSaw: Error {}

/// Run only where somebody asks for it: some are to fail.
final class ExploredTests: XCTestCase {
  override func setUpWithError() throws {
    let isExploring = ProcessInfo.processInfo.environment["TOOL_SHED_EXPLORES"] != nil
    try XCTSkipUnless(isExploring, "nobody explores")
  }

  func testExpectsASawForEach() {
    explored(schedules: 200) {
      let saws = Saws()
      DispatchQueue.concurrentPerform(iterations: 2) { _ in saws.takeIfAnyAreLeft() }
      XCTAssertEqual(saws.count, 0)
    }
  }

  func testThrowsInATask() async {
    explored(schedules: 200) {
      let saws = Saws()
      await withTaskGroup { group in
        group.addTask { saws.takeIfAnyAreLeft() }
        group.addTask { saws.takeIfAnyAreLeft() }
      }
      if saws.count < 0 { throw NoSaw() }
    }
  }

  func testStaysSilentAndGoesOn() {
    explored(schedules: 50, strategy: .randomWalk, seed: 7) {
      let saws = Saws()
      DispatchQueue.concurrentPerform(iterations: 2) { _ in saws.takeIfThere() }
      XCTAssertEqual(saws.count, 0)
    }
  }

  func testWaitsInVirtualTime() {
    explored(schedules: 20) {
      let (comes, never) = (XCTestExpectation(), XCTestExpectation())
      DispatchQueue.global().async { comes.fulfill() }
      XCTAssertEqual(XCTWaiter().wait(for: [comes], timeout: 1_000), .completed)
      XCTAssertEqual(XCTWaiter().wait(for: [never], timeout: 1_000), .timedOut)
    }
  }

  func testWaitsInVirtualTimeForATask() async {
    explored(schedules: 20) {
      let (comes, never) = (XCTestExpectation(), XCTestExpectation())
      Task { comes.fulfill() }
      let came = await XCTWaiter().fulfillment(of: [comes], timeout: 1_000)
      XCTAssertEqual(came, .completed)
      let missed = await XCTWaiter().fulfillment(of: [never], timeout: 1_000)
      XCTAssertEqual(missed, .timedOut)
    }
  }

  func testFailsAfterwardsAsEver() {
    explored(schedules: 5) {}
    XCTAssertEqual(Saws().count, 2)
  }
}
