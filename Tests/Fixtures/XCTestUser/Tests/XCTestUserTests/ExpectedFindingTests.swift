import Foundation
import ThreadmillXCTest
import ToolShed
import XCTest

// Tests that say what they lead to; they run only where somebody asks for them: some are to fail.

final class ExpectedFindingTests: XCTestCase {
  override func setUpWithError() throws {
    let environment = ProcessInfo.processInfo.environment
    try XCTSkipIf(environment["TOOL_SHED_EXPECTS"] == nil, "some are to fail")
  }

  func testIsFound() {
    let shed = ToolShed()
    expectFinding(.lockOrderCycle) {
      oneAfterTheOther({ shed.frameWall() }, { shed.cutRafter() })
    }
  }

  func testIsFoundInATask() async {
    let shed = ToolShed()
    await expectFinding(.lockOrderCycle) {
      await Task.yield()
      oneAfterTheOther({ shed.frameWall() }, { shed.cutRafter() })
    }
  }

  func testIsMissed() {
    expectFinding(.lockOrderCycle) { ToolShed().frameWall() }
  }

  func testIsAnother() {
    let shed = ToolShed()
    expectFinding(.deadlock) {
      oneAfterTheOther({ shed.frameWall() }, { shed.cutRafter() })
    }
  }

  func testIsFoundTooLate() {
    let shed = ToolShed()
    expectFinding(.lockOrderCycle) { shed.frameWall() }
    oneAfterTheOther({ shed.frameWall() }, { shed.cutRafter() })
  }

  func testNeedsTheSanitizer() {
    expectFinding(.dataRace) { ToolShed().frameWall() }
  }
}
