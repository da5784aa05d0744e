import CoreFoundation
import Dispatch
import XCTest

final class MainThreadTests: XCTestCase {
  /// A test of XCTest's is on the main thread, as the main queue's blocks are, and others are not.
  func testKnowsTheMainThread() {
    XCTAssertTrue(Thread.isMainThread)
    XCTAssertTrue(_CFIsMainThread())
    let group = DispatchGroup()
    DispatchQueue(label: "others").async(group: group) {
      XCTAssertFalse(Thread.isMainThread)
      XCTAssertFalse(_CFIsMainThread())
    }
    group.wait()
    let onMain = expectation(description: "on the main queue")
    DispatchQueue.main.async {
      if Thread.isMainThread && _CFIsMainThread() { onMain.fulfill() }
    }
    wait(for: [onMain], timeout: 5)
  }
}
