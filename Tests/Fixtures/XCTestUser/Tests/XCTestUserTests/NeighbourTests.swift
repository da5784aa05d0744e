import Dispatch
import ToolShed
import XCTest

// Run in the same process as the others, and must not be blamed for what those did.

final class NeighbourTests: XCTestCase {
  func testMustStaySilentAsNeighbour() {
    let shed = ToolShed()
    DispatchQueue.concurrentPerform(iterations: 50) { _ in shed.frameWall() }
    oneAfterTheOther({ shed.frameWall() }, { shed.frameWall() })
  }

  func testMustStaySilentWithoutLocks() async {
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 0..<100 { group.addTask { number } }
      return await group.reduce(0, +)
    }
    XCTAssertEqual(sum, 4950)
  }
}
