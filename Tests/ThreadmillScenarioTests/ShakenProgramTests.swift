import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// `threadmill scenarios verify --mode jitter` and `threadmill scenarios rates`, the real program
/// with hosts under Thread Sanitizer.
@Suite(.enabled(if: isThreadSanitized, "needs --sanitize=thread"))
struct ShakenProgramTests {
  private func threadmill(_ arguments: [String]) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: try Program.named("threadmill").path, arguments: ["scenarios"] + arguments,
      environment: Program.environment(options: nil), limit: 120)
    return try await Slots.children.occupy { try await child.run() }
  }

  @Test func aShakenProgramIsVerified() async throws {
    let result = try await threadmill([
      "verify", "--skip-build", "--mode", "jitter", "--jitter", "heavy", "--seed", "7", "--repeat",
      "2", "--filter", "^(lazy-init|gate-lock) (flawed|repaired)",
    ])
    #expect(result.outcome == .exited(0), "\(result.standardOutput)")
    let lines = result.standardOutput.split(separator: "\n")
    #expect(
      lines.last?.hasPrefix("4 rows (jitter heavy with seed 7): all as expected, 8 runs in ")
        ?? false)
  }

  /// What the program is told is what is told of it: with its detector off it is wrong.
  @Test func theSeedOfAWrongRunIsTold() async throws {
    let result = try await threadmill([
      "verify", "--skip-build", "--mode", "jitter", "--jitter", "light", "--seed", "7", "--without",
      "dataRace", "--filter", "^lazy-init flawed",
    ])
    #expect(result.outcome == .exited(1))
    let lines = result.standardOutput.split(separator: "\n")
    let again = try #require(lines.first { $0.hasPrefix("    again: ") })
    #expect(
      again.contains(
        #/THREADMILL_OPTIONS="jitter=light seed=\d+" scenario-host run lazy-init flawed$/#))
    #expect(
      lines.last
        == """
        to see it again: threadmill scenarios verify --mode jitter --jitter light --seed 7 \
        --filter '^lazy-init$' --without dataRace
        """)
  }

  @Test func ratesAreMeasured() async throws {
    struct Document: Decodable {
      struct Row: Decodable {
        var scenario: String
        var policy: String
        var runs: Int
        var detected: Int
        var low: Double
        var high: Double
        var first: Double?
      }

      var version: Int
      var seed: UInt64
      var rates: [Row]
    }
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let json = directory.file("rates.json")
    let result = try await threadmill([
      "rates", "--skip-build", "--scenario", "lazy-init", "--scenario", "shared-error", "--policy",
      "plain", "--policy", "load", "--policy", "portfolio", "--runs", "2", "--seed", "7", "--json",
      json.path,
    ])
    #expect(result.outcome == .exited(0), "\(result.standardOutput)")
    let document = try JSONDecoder().decode(Document.self, from: Data(contentsOf: json))
    #expect(document.version == 1)
    #expect(document.seed == 7)
    #expect(
      document.rates.map(\.scenario) == ["lazy-init", "shared-error"].flatMap { [$0, $0, $0] })
    #expect(
      document.rates.map(\.policy) == ["plain", "load", "portfolio", "plain", "load", "portfolio"])
    #expect(document.rates.map(\.runs) == [2, 2, 2, 2, 2, 2])
    #expect(document.rates.map(\.detected) == [2, 2, 2, 2, 2, 2])
    #expect(document.rates.allSatisfy { $0.high == 1 && ($0.first ?? 0) > 0 })
    let lines = result.standardOutput.split(separator: "\n")
    #expect(
      lines.last
        == """
        to measure again: threadmill scenarios rates --scenario lazy-init \
        --scenario shared-error --policy plain --policy load --policy portfolio --runs 2 --seed 7
        """)
    #expect(result.standardError.contains("rates: 12 of 12\n"))
  }

  /// What keeps the cores busy ends with the measurement, however that ends: by itself, or because
  /// somebody interrupts or kills it.
  @Test(arguments: [("", 0), ("INT", 130), ("KILL", 137)])
  func nobodyStaysBusy(_ signal: String, _ status: Int) async throws {
    let tool = try Program.named("threadmill").path
    let isEnded = !signal.isEmpty
    let script = """
      '\(tool)' scenarios rates --skip-build --scenario shared-error --policy load \\
        --runs \(isEnded ? 10_000 : 1) >/dev/null 2>&1 &
      tool=$!
      busy() { grep -lszx '[b]usy' /proc/[0-9]*/cmdline | xargs -r grep -lszx "$tool"; }
      \(isEnded ? "until [ -n \"$(busy)\" ]; do sleep 0.01; done; kill -\(signal) $tool" : "")
      wait $tool
      echo "status $?"
      \(signal == "KILL" ? "while [ -n \"$(busy)\" ]; do sleep 0.05; done" : "")
      busy | wc -l
      """
    let child = ChildProcess(
      executable: "/bin/bash", arguments: ["-mc", script],
      environment: Program.environment(options: nil), limit: 120)
    let result = try await Slots.children.occupy { try await child.run() }
    #expect(result.standardOutput == "status \(status)\n0\n", "\(result.standardError)")
  }
}

/// What needs no host.
@Suite struct RatesUsageTests {
  @Test(
    arguments: [
      (
        ["--policy", "purple"],
        #"--policy "purple" is not valid; allowed: threads, plain, load, light"#
      ),
      (
        ["--policy", "off"],
        #"--policy "off" is not valid; allowed: threads, plain, load, light"#
      ),
      (
        ["--scenario", "relok"], #"no scenario is called "relok"; nearest: relock; all: threadmill"#
      ),
      (
        ["--scenario", "relock", "--scenario", "gate-lock"],
        #"--scenario "gate-lock" is not valid; allowed: a scenario in which there is something to"#
      ),
      (["--runs", "0"], #"--runs "0" is not valid; allowed: a whole number from 1 to 10000"#),
      (["--runs", "1", "--runs", "2"], "--runs is given twice; allowed: once"),
      (["--json", "/proc/none/x"], #"--json "/proc/none/x" is not valid; allowed: a file, not"#),
      (["relock"], #""relock" is one too many"#),
    ])
  func wrongUsageIsNamed(_ words: [String], _ complaint: String) async throws {
    let child = ChildProcess(
      executable: try Program.named("threadmill").path, arguments: ["scenarios", "rates"] + words,
      environment: Program.environment(options: nil), limit: 120)
    let result = try await Slots.children.occupy { try await child.run() }
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    #expect(result.standardError.contains("threadmill scenarios rates: \(complaint)"))
  }
}
