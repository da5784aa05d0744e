import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// Explored tests with a loop, or in a run loop.
@Suite(
  .serialized,
  .disabled(if: isThreadSanitized, "the fixtures are built without the sanitizer either way"))
struct ExploredLoopsTests {
  /// A loop that another thread ends has an end in each order, because that thread has turns as
  /// well. A loop that makes no call keeps the turn: the test is named, and nothing is found.
  @Test func loopsThatOthersEndAreNoHangs() async throws {
    let result = try await Fixture.otherStranger.threadmillTest(
      ["--explore", "--schedules", "100", "--filter", "LoopTests.LoopTests"])
    #expect(result.outcome == .exited(0), "\(result.standardOutput)\(result.standardError)")
    #expect(result.standardOutput.contains("Threadmill: 2 tests explored under 200 schedules"))
    let stuck =
      #/  not explored: LoopTests.LoopTests/testSpins: in schedule \d+, no step for 10 s, at /#
    #expect(result.standardOutput.matches(of: stuck).count == 1, "\(result.standardOutput)")
    #expect(result.standardOutput.contains("Threadmill: no findings"))
  }

  /// A test with many steps in each order has an end, also if some order has too many.
  @Test func aLongTestIsNoHang() async throws {
    let result = try await Fixture.otherStranger.threadmillTest(
      ["--explore", "--schedules", "30", "--filter", "LongTests"])
    let long =
      #/  not explored: LoopTests.LongTests/testDoesMoreInSomeOrders: it takes \d+ steps in one schedule, and more than 100000 in another one/#
    #expect(result.standardOutput.matches(of: long).count == 1, "\(result.standardOutput)")
    #expect(result.standardOutput.contains("Threadmill: no findings"))
    #expect(result.outcome == .exited(2))
  }

  /// Each way to run a run loop is under control, in virtual time: the main queue's work runs
  /// meanwhile, and a wake-up that is missing is found.
  @Test func runLoopsAreUnderControl() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let result = try await Fixture.otherStranger.threadmillTest(
      ["--explore", "--schedules", "100", "--filter", "RunLoopTests", "--json", file.path])
    #expect(result.outcome == .exited(1), "\(result.standardOutput)\(result.standardError)")
    let report = try #require(try ReportFile(at: file), "\(result.standardError)")
    #expect(report.accusations.map(\.tests) == [["RunLoopTests.testForgetsToWakeALoop"]])
    #expect(report.accusations.map(\.kind) == ["assertionFailure"])
    #expect(report.accounting["exploredTests"] == 11)
    #expect(!result.standardOutput.contains("not explored:"), "\(result.standardOutput)")
    #expect(result.standardOutput.contains(", 0 operations not under control"))
  }
}
