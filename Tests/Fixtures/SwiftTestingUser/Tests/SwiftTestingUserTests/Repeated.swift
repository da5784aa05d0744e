import Foundation
import Testing
import ThreadmillTesting
import ToolShed

// Tests that run several times; they run only where somebody asks for them: some are to fail.

private let isRepeating = ProcessInfo.processInfo.environment["TOOL_SHED_REPEATS"] != nil
private let days = Days()

private struct BrokenSaw: Error {}

@Suite(.enabled(if: isRepeating)) struct Repeated {
  @Test(.jittered(.heavy, repeating: 9, seed: 7)) func isFoundOnTheThirdDay() {
    quarrel(on: days.begin() % 3 == 0)
  }

  @Test(.jittered(.light, repeating: 9)) func isFoundWithAnySeed() {
    quarrel(on: days.begin() == 2)
  }

  @Test(.jittered(.heavy, repeating: 1, seed: 7)) func isFoundAtOnce() {
    quarrel(on: days.begin() == 1)
  }

  @Test(.repeated(9)) func isFoundWithoutJitter() {
    quarrel(on: days.begin() == 4)
  }

  @Test(.jittered(repeating: 9, seed: 7)) func staysSilent() async {
    let day = days.begin()
    await Task.yield()
    quarrel(on: day == 0)
  }

  @Test(.repeated(9)) func staysSilentWithoutJitter() {
    quarrel(on: days.begin() == 0)
  }

  @Test(.jittered) func staysSilentOnce() {
    quarrel(on: days.begin() == 0)
  }

  @Test(.jittered(.heavy, repeating: 9, seed: 7)) func expectsInVain() {
    #expect(days.begin() % 4 != 0)
  }

  /// Swift Testing does not know whose expectation it is.
  @Test(.jittered(.heavy, repeating: 9, seed: 7)) func expectsElsewhere() async {
    let day = days.begin()
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        #expect(day != 5)
        continuation.resume()
      }
    }
  }

  @Test(.jittered(.heavy, repeating: 9, seed: 7)) func requiresInVain() throws {
    try #require(days.begin() % 4 != 0)
  }

  @Test(.jittered(.heavy, repeating: 9, seed: 7)) func throwsOnTheSecondDay() throws {
    if days.begin() % 2 == 0 { throw BrokenSaw() }
  }

  @Test(.jittered(.heavy, repeating: 9, seed: 7)) func knowsItsIssues() {
    let day = days.begin()
    withKnownIssue { #expect(day == 0) }
  }

  @Test(.repeated(9), arguments: ["hammer", "saw"]) func repeatsEachCase(tool: String) {
    quarrel(on: days.begin(tool) == 0)
  }
}

private func quarrel(on isBadDay: Bool) {
  let shed = ToolShed()
  oneAfterTheOther({ shed.frameWall() }, { if isBadDay { shed.cutRafter() } })
}
