import Dispatch
import ToolShed
import XCTest

// No line in this target knows of Threadmill: the dependency in Package.swift is all there is.

final class MustFindTests: XCTestCase {
  func testMustFindOppositeOrdersOnTwoThreads() {
    let shed = ToolShed()
    oneAfterTheOther({ shed.frameWall() }, { shed.cutRafter() })
  }

  func testMustFindOppositeOrdersOnWorkers() {
    let room = PaintRoom()
    oneAfterTheOther(on: .global(), { room.paintFence() }, { room.paintCeiling() })
  }
}
