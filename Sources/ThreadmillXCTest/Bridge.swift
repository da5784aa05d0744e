#if os(Linux) && canImport(XCTest)
  import Threadmill
  import XCTest

  /// Installs the observer before `main`: nothing to import, nothing to call.
  @_cdecl("threadmill_xctest_boot")
  func installObserver() {
    XCTestObservationCenter.shared.addTestObserver(Observer())
    TestBridge.watchExpectations(AssertionWatch.watch)
  }

  /// Blames what is found while a test runs on that test. XCTest runs one at a time.
  private final class Observer: NSObject, XCTestObservation {
    func testCaseWillStart(_ test: XCTestCase) {
      // What an exploration does over and over is no beginning of a test.
      if TestBridge.isExploring { return }
      let name = test.name
      let scope = TestBridge.scope(of: name)
      let identifier = Self.identifier(of: test)
      TestBridge.remember(identifier, of: name)
      TestBridge.begin(name, scope, identifier: identifier)
      TestBridge.setProcessScope(scope)
      AssertionWatch.current = test
      ExploredCase.prepare(test, identifier: identifier)
      // The observer's own notice of the end comes too late: a failure recorded there is fatal.
      nonisolated(unsafe) let test = test  // used by its own tear-down, on the thread that runs it
      test.addTeardownBlock {
        for charge in TestBridge.end(scope) where charge.isError { test.record(charge) }
        TestBridge.setProcessScope(0)
      }
    }

    func testCase(
      _ test: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
      atLine lineNumber: Int
    ) {
      TestBridge.fail(
        Self.identifier(of: test), AssertionText.withoutEmptyMessage(description), file: filePath,
        line: lineNumber)
    }

    func testCaseDidFinish(_ test: XCTestCase) {
      guard let run = test.testRun else { return }
      ExploredCase.finish(run)
      TestBridge.finish(
        Self.identifier(of: test), wasSkipped: run.hasBeenSkipped, hasPassed: run.hasSucceeded,
        seconds: run.totalDuration)
    }

    /// `Module.Class/method`.
    private static func identifier(of test: XCTestCase) -> String {
      let method = test.name.split(separator: ".").last ?? ""
      return "\(String(reflecting: type(of: test)))/\(method)"
    }
  }

  extension XCTestCase {
    /// Fails the test, at the user's line where one is known.
    func record(_ charge: Charge) {
      let line = charge.line
      recordFailure(
        withDescription: charge.message, inFile: line?.file ?? "<unknown>", atLine: line?.line ?? 0,
        expected: true)
    }
  }
#endif
