import Dispatch
import Testing
import ToolShed

// Run beside the others in the same process, and must not be blamed for what those do.

@Test(arguments: 1...8) func mustStaySilentAsNeighbour(number: Int) {
  let shed = ToolShed()
  DispatchQueue.concurrentPerform(iterations: 50) { _ in shed.frameWall() }
  oneAfterTheOther({ shed.frameWall() }, { shed.frameWall() })
}

@Test func mustStaySilentWithoutLocks() async {
  let sum = await withTaskGroup(of: Int.self) { group in
    for number in 0..<100 { group.addTask { number } }
    return await group.reduce(0, +)
  }
  #expect(sum == 4950)
}
