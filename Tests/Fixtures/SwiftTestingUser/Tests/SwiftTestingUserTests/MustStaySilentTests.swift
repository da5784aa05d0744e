import Foundation
import Testing
import ToolShed

@Test func mustStaySilentUnderAGateLock() {
  let (gate, shed) = (NSLock(), ToolShed())
  oneAfterTheOther(
    { gate.withLock { shed.frameWall() } },
    { gate.withLock { shed.cutRafter() } })
}

@Test func mustStaySilentWithOneThread() {
  let shed = ToolShed()
  oneAfterTheOther(
    {
      shed.frameWall()
      shed.cutRafter()
    }, {})
}

@Test func mustStaySilentWhenAThreadIsJoined() throws {
  let shed = ToolShed()
  var worker = pthread_t()
  let status = pthread_create(
    &worker, nil,
    { argument in
      guard let argument else { return nil }
      Unmanaged<ToolShed>.fromOpaque(argument).takeRetainedValue().frameWall()
      return nil
    }, Unmanaged.passRetained(shed).toOpaque())
  try #require(status == 0)
  pthread_join(worker, nil)
  shed.cutRafter()
}

@Test func mustStaySilentWhenAGroupIsWaitedFor() {
  let shed = ToolShed()
  let walls = DispatchGroup()
  DispatchQueue.global().async(group: walls) { shed.frameWall() }
  walls.wait()
  shed.cutRafter()
}

@Test func mustStaySilentWhenTheSecondIsTried() {
  let shed = ToolShed()
  oneAfterTheOther({ shed.frameWall() }, { shed.cutRafterIfFree() })
}

@Test func mustStaySilentWithARecursiveLock() {
  let bench = Workbench()
  oneAfterTheOther({ bench.sortScrews() }, { bench.sortScrews() })
}

@Test func mustStaySilentWhenAnAddressIsReused() {
  let (hook, board) = (Hook(), NSLock())
  oneAfterTheOther(
    {
      hook.hang()
      hook.lock()
      board.withLock {}
      hook.unlock()
      hook.takeDown()
    },
    {
      hook.hang()
      board.lock()
      hook.lock()
      hook.unlock()
      board.unlock()
      hook.takeDown()
    })
}
