import Foundation
import Testing
import ThreadmillTestSupport

/// Heavy but correct use of Foundation and Dispatch: it runs to its end, and nothing is found.
///
/// `scripts/campaigns/hard` uses numbers that take minutes, in debug and release.
@Suite struct HardUseTests {
  /// Under Thread Sanitizer everything takes ten times as long.
  private static let share = isThreadSanitized ? 10 : 1

  @Test(arguments: [("operations", 10_000), ("asyncs", 200_000), ("mix", 5_000)])
  func staysSilent(mode: String, number: Int) async throws {
    let number = number / Self.share
    let run = try await Watched(program: "harness-hard-use", arguments: [mode, "\(number)"]).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    #expect(run.child.standardOutput.hasPrefix("done \(number) of \(number)\n"))
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }
}
