import Foundation
import ThreadmillXCTest
import ToolShed
import XCTest

// Tests that run several times; they run only where somebody asks for them: some are to fail.

private let days = Days()

private struct BrokenSaw: Error {}

final class RepeatedTests: XCTestCase {
  override func setUpWithError() throws {
    let environment = ProcessInfo.processInfo.environment
    try XCTSkipIf(environment["TOOL_SHED_REPEATS"] == nil, "some are to fail")
  }

  func testIsFoundOnTheThirdDay() {
    jittered(.heavy, repeating: 9, seed: 7) { quarrel(on: days.begin("isFound") % 3 == 0) }
  }

  func testStaysSilent() async {
    await jittered(repeating: 9, seed: 7) {
      let day = days.begin("staysSilent")
      await Task.yield()
      quarrel(on: day == 0)
    }
  }

  func testStaysSilentWithoutJitter() {
    repeated(9) { quarrel(on: days.begin("staysSilentWithoutJitter") == 0) }
  }

  func testAssertsInVain() {
    jittered(.heavy, repeating: 9, seed: 7) { XCTAssertNotEqual(days.begin("asserts") % 4, 0) }
  }

  func testThrowsOnTheSecondDay() throws {
    try jittered(.heavy, repeating: 9, seed: 7) {
      if days.begin("throws") % 2 == 0 { throw BrokenSaw() }
    }
  }
}

private func quarrel(on isBadDay: Bool) {
  let shed = ToolShed()
  oneAfterTheOther({ shed.frameWall() }, { if isBadDay { shed.cutRafter() } })
}
