import Dispatch

extension Scenario {
  /// Two workers share one hammer and one saw, each tool guarded by a semaphore of value 1.
  ///
  /// **What people write.** The carpenter takes the hammer, then the saw; the roofer takes the saw,
  /// then the hammer. Each was written by somebody who looked at one of them only.
  ///
  /// **Why it breaks.** The carpenter with the hammer waits for the saw, the roofer with the saw
  /// for the hammer.
  ///
  /// **How it shows.** Once in many runs nobody works any more. A semaphore has no owner, so no
  /// tool shows who holds it.
  ///
  /// **Repair.** One order for everybody: the hammer first.
  static let hammerAndSaw = Scenario(
    id: "hammer-and-saw", fault: .deadlocks,
    summary: "Two binary semaphores taken in opposite orders.",
    expectations: [
      .flawed: .init(
        .ends, observe: .finds("lockOrderCycle"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .harmful: .init(
        .hangs, observe: .finds("deadlock", allowing: "lockOrderCycle"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let shed = ToolShed()
      let framed = Arrivals()
      onThreads(
        {
          shed.frameWall()
          framed.announce()
        },
        {
          framed.waitAWhile()
          shed.cutRafter()
        })
    },
    harmful: {
      let shed = ToolShed()
      let both = Arrivals()
      onThreads(
        { shed.frameWall { both.meet(2, limit: .infinity) } },
        { shed.cutRafter { both.meet(2, limit: .infinity) } })
    },
    repaired: {
      let shed = ToolShed()
      let both = Arrivals()
      onThreads(
        { shed.frameWall { both.meet(2, limit: 0.1) } },
        { shed.cutRafterHammerFirst { both.meet(2, limit: 0.1) } })
    })
}

private final class ToolShed: Sendable {
  private let hammer = DispatchSemaphore(value: 1)
  private let saw = DispatchSemaphore(value: 1)

  /// `meanwhile` is the way from one hook to the other.
  func frameWall(meanwhile: () -> Void = {}) {
    hammer.wait()
    meanwhile()
    saw.wait()
    saw.signal()
    hammer.signal()
  }

  func cutRafter(meanwhile: () -> Void = {}) {
    saw.wait()
    meanwhile()
    hammer.wait()
    hammer.signal()
    saw.signal()
  }

  func cutRafterHammerFirst(meanwhile: () -> Void = {}) {
    hammer.wait()
    meanwhile()
    saw.wait()
    saw.signal()
    hammer.signal()
  }
}
