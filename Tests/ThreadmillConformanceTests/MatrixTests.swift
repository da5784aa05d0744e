import CThreadmillConformance
import Foundation
import Testing
import ThreadmillTestSupport

/// With the gate, Thread Sanitizer is right about Swift: every correct pattern of synchronisation
/// is silent and keeps its sides apart; with half its protection, or none, it is reported.
///
/// `scripts/campaigns/matrix` is the thorough form, with a process for each run.
@Suite(
  .serialized,
  .enabled(if: conformance_built_with_tsan(), "needs --sanitize=thread"),
  .enabled(if: hasSeveralProcessors, "two threads have to run at once"))
struct MatrixTests {
  private static let trials = 50

  @Test func hasRowsForWhatThereIs() async throws {
    let rows = try await Row.all(in: "law2-observed")
    #expect(rows.count >= 40)
    #expect(Set(rows.map(\.id)).count == rows.count)
    #expect(rows.allSatisfy { $0.variants.contains("correct") && $0.variants.count > 1 })
    #expect(try await Row.all(in: "law2-bare") == rows)
  }

  @Test func correctPatternsAreSilentAndKeepTheirSidesApart() async throws {
    for row in try await Row.all(in: "law2-observed") where row.need != "more" {
      let run = try await Run("law2-observed", row.id, "correct", trials: Self.trials)
      #expect(!run.isReported, "\(row.id): \(run.errors)")
      #expect(run.overlapped == 0, "\(row.id)")
    }
  }

  /// Thread Sanitizer sees neither of two accesses that are made at the same moment. In one trial
  /// of 40 that hides a race of the main queue (20 of 800), so five trials miss one in 100 million
  /// runs.
  @Test func brokenPatternsAreReported() async throws {
    let trials = 5
    for row in try await Row.all(in: "law2-observed") {
      for variant in row.variants where variant != "correct" {
        let run = try await Run("law2-observed", row.id, variant, trials: trials)
        #expect(run.overlapped == trials, "\(row.id) \(variant): the two sides did not meet")
        #expect(run.isReported, "\(row.id) \(variant)")
      }
    }
  }

  /// The limits of Thread Sanitizer in Swift that the README lists. When this fails, a toolchain
  /// has learnt a pattern: take the row's mark and the README's line away.
  @Test func knownLimitsAreStillThere() async throws {
    for row in try await Row.all(in: "law2-observed") where row.need == "more" {
      let run = try await Run("law2-observed", row.id, "correct", trials: Self.trials)
      #expect(run.isReported, "\(row.id)")
    }
  }

  /// The correct patterns that need the gate. When this fails, a toolchain has learnt a pattern, or
  /// the row has lost its point.
  @Test func threadSanitizerAloneGetsTheseWrong() async throws {
    for row in try await Row.all(in: "law2-bare") where ["gate", "more"].contains(row.need) {
      let run = try await Run("law2-bare", row.id, "correct", trials: Self.trials)
      #expect(run.isReported || run.overlapped > 0, "\(row.id)")
    }
  }

  private struct Row: Equatable {
    let id: String
    let variants: [String]
    let need: String

    static func all(in executable: String) async throws -> [Row] {
      try await Child(executable, ["matrix", "list"]).lines.map { line in
        let words = line.split(separator: "\t").map(String.init)
        return Row(
          id: words[0], variants: words[1].split(separator: ",").map(String.init), need: words[2])
      }
    }
  }

  private struct Run {
    let isReported: Bool
    /// The number of trials in which the two sides were in their accesses at the same time.
    let overlapped: Int
    let errors: String

    init(_ executable: String, _ id: String, _ variant: String, trials: Int) async throws {
      let child = try await Child(
        executable, ["matrix", id, variant, "\(trials)"],
        tsanOptions: "log_path=stderr exitcode=66 atexit_sleep_ms=0 symbolize=0")
      errors = child.errors
      isReported = errors.contains("WARNING: ThreadSanitizer: ")
      let words = try #require(child.lines.last, "\(id): \(errors)").split(separator: " ")
      overlapped = try #require(words.count == 4 ? Int(words[1]) : nil, "\(id): \(errors)")
      #expect(child.status == (isReported ? 66 : 0), "\(id) \(variant): \(errors)")
    }
  }
}
