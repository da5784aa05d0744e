import CThreadmillConformance
import Foundation
import Synchronization
import Testing

/// A race in the process of the tests, which nobody expects: `scripts/test` runs this by itself and
/// insists that it fails.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["THREADMILL_PLANT"] == "race",
    "only as the proof that a race fails a run"),
  .enabled(if: conformance_built_with_tsan(), "needs --sanitize=thread"))
struct PlantedRaceTests {
  @Test func aRaceThatNobodyExpects() {
    nonisolated(unsafe) var sum = 0  // protected by nothing: that is the race
    let turn = Atomic(0)  // relaxed: it orders nothing
    let threads = DispatchGroup()
    for number in 0..<2 {
      threads.enter()
      Thread {
        while turn.load(ordering: .relaxed) < number { sched_yield() }
        sum += number
        turn.add(1, ordering: .relaxed)
        threads.leave()
      }.start()
    }
    threads.wait()
  }
}
