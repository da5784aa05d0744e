import Foundation
import ToolShed
import XCTest

final class MustStaySilentTests: XCTestCase {
  func testMustStaySilentUnderAGateLock() {
    let (gate, shed) = (NSLock(), ToolShed())
    oneAfterTheOther(
      { gate.withLock { shed.frameWall() } },
      { gate.withLock { shed.cutRafter() } })
  }

  func testMustStaySilentWithOneThread() {
    let shed = ToolShed()
    oneAfterTheOther(
      {
        shed.frameWall()
        shed.cutRafter()
      }, {})
  }

  func testMustStaySilentWhenAThreadIsJoined() {
    let shed = ToolShed()
    var worker = pthread_t()
    let status = pthread_create(
      &worker, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<ToolShed>.fromOpaque(argument).takeRetainedValue().frameWall()
        return nil
      }, Unmanaged.passRetained(shed).toOpaque())
    XCTAssertEqual(status, 0)
    pthread_join(worker, nil)
    shed.cutRafter()
  }

  func testMustStaySilentWhenAGroupIsWaitedFor() {
    let shed = ToolShed()
    let walls = DispatchGroup()
    DispatchQueue.global().async(group: walls) { shed.frameWall() }
    walls.wait()
    shed.cutRafter()
  }

  func testMustStaySilentWhenAnExpectationIsWaitedFor() {
    let (shed, walls) = (ToolShed(), expectation(description: "walls"))
    Thread {
      shed.frameWall()
      walls.fulfill()
    }.start()
    wait(for: [walls], timeout: 60)
    shed.cutRafter()
  }

  func testMustStaySilentWhenAnExpectationIsAwaited() async {
    let (shed, walls) = (ToolShed(), expectation(description: "walls"))
    DispatchQueue.global().async {
      shed.frameWall()
      walls.fulfill()
    }
    await fulfillment(of: [walls], timeout: 60)
    shed.cutRafter()
  }

  func testMustStaySilentWhenTheSecondIsTried() {
    let shed = ToolShed()
    oneAfterTheOther({ shed.frameWall() }, { shed.cutRafterIfFree() })
  }

  func testMustStaySilentWithARecursiveLock() {
    let bench = Workbench()
    oneAfterTheOther({ bench.sortScrews() }, { bench.sortScrews() })
  }

  func testMustStaySilentWhenAnAddressIsReused() {
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
}
