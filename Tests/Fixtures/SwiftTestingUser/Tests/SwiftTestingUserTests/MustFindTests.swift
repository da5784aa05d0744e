import Dispatch
import Testing
import ToolShed

// No line in this target knows of Threadmill: the dependency in Package.swift is all there is.

@Test func mustFindOppositeOrdersOnTwoThreads() {
  let shed = ToolShed()
  oneAfterTheOther({ shed.frameWall() }, { shed.cutRafter() })
}

@Test func mustFindOppositeOrdersOnWorkers() {
  let room = PaintRoom()
  oneAfterTheOther(on: .global(), { room.paintFence() }, { room.paintCeiling() })
}
