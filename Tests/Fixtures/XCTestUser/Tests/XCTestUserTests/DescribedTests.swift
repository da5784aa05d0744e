// swift-format-ignore-file: OnlyOneTrailingClosureArgument
// This is how descriptions are written.

import Dispatch
import Foundation
import ThreadmillXCTest
import ToolShed
import XCTest

/// Run only where somebody asks for it: some are to fail.
final class DescribedTests: XCTestCase {
  private let environment = ProcessInfo.processInfo.environment

  override func setUpWithError() throws {
    try XCTSkipUnless(environment["TOOL_SHED_EXPLORES"] != nil, "nobody explores")
  }

  func testTakesInSteps() {
    XCTAssertLinearizable({ NailBox() }, replaying: environment["TOOL_SHED_REPLAY"]) {
      Operation("add", 1...2) { nails, nail in nails.add(nail) }
      Operation("take") { nails in nails.takeInSteps() }
    }
  }

  func testTakesAtOnce() {
    XCTAssertLinearizable({ NailBox() }, scenarios: 20) {
      Operation("add", 1...2) { nails, nail in nails.add(nail) }
      Operation("take") { nails in nails.take() }
    }
  }

  func testHasOutcomes() throws {
    let found = try outcomes {
      let nails = NailBox()
      nails.add(1)
      let taken = LockedCount()
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        if nails.takeInSteps() != nil { taken.rise() }
      }
      return taken.count
    }
    XCTAssertEqual(found.values, [1, 2])
    try found.allowing([1])
  }
}

private final class LockedCount: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  var count: Int { lock.withLock { number } }
  func rise() { lock.withLock { number += 1 } }
}
