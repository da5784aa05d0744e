import Foundation
import ToolShed
import XCTest

// Tests that never end, or take their time; they run only where somebody asks for them.

final class MustHangTests: XCTestCase {
  override func setUpWithError() throws {
    let environment = ProcessInfo.processInfo.environment
    try XCTSkipIf(environment["TOOL_SHED_IS_PATIENT"] == nil, "takes its time")
  }

  func testMustHangOnALoan() {
    Loan().waitForReturn()
  }

  func testMustWaitForALateAnswer() async {
    await withUnsafeContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + 3) { continuation.resume() }
    }
  }
}
