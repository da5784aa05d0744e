import Testing
import ThreadmillTestSupport

/// Under Thread Sanitizer, too, lock orders are told from Threadmill's graph: filtered, and once.
///
/// The sanitizer has a graph of its own, which knows neither gate locks nor joins. As shipped for
/// Swift it drops what it finds in an interceptor, whatever is asked of its detector; a toolchain
/// in which it does not turns these tests red.
@Suite(.enabled(if: isThreadSanitized, "needs --sanitize=thread"))
struct SanitizedLockOrderTests {
  /// The sanitizer's options: its defaults, and those of somebody who wants lock orders from it.
  static let settings = ["", "detect_deadlocks=1:second_deadlock_stack=1"]

  @Test(arguments: settings) func oppositeOrdersAreTold(_ setting: String) async throws {
    let run = try await run("harness-orders", ["thread-create", "unordered"], setting)
    #expect(run.child.outcome == .exited(1))
    #expect(run.report?.accusations.map(\.kind) == ["lockOrderCycle"])
    #expect(run.report?.accusations.map(\.count) == [1])
    #expect(!run.child.standardError.contains("ThreadSanitizer"))
  }

  @Test(
    arguments: [
      ["gate-lock", "repaired"], ["one-thread-both-orders", "repaired"],
      ["ordered-by-join", "repaired"],
    ], settings)
  func whatCannotMeetIsSilent(_ scenario: [String], _ setting: String) async throws {
    let run = try await run("scenario-host", ["run"] + scenario, setting)
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    #expect(run.report?.accusations.map(\.title) == [])
  }

  /// With these the sanitizer's own reports come back, false ones among them.
  private static let unfiltered = "ignore_noninstrumented_modules=0:ignore_interceptors_accesses=0"

  @Test(arguments: [(["thread-create", "unordered"], 1), (["thread-join", "ordered"], 0)])
  func oursStayAsTheyAre(_ arguments: [String], _ count: Int) async throws {
    let run = try await run("harness-orders", arguments, Self.unfiltered)
    let orders = run.report?.accusations.filter { $0.kind == "lockOrderCycle" }
    #expect(orders?.map(\.count) == Array(repeating: 1, count: count))
  }

  private func run(
    _ program: String, _ arguments: [String], _ setting: String
  ) async throws -> Watched.Run {
    try await Watched(
      program: program, arguments: arguments,
      environment: ["TSAN_OPTIONS": "\(setting):atexit_sleep_ms=0"]
    ).run()
  }
}
