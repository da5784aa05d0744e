import Foundation
import Testing
import ThreadmillChildren
import ThreadmillCommand
import ThreadmillScenarios
import ThreadmillTestSupport

/// `threadmill scenarios`, the real program, as a child.
@Suite struct VerifyProgramTests {
  private func threadmill(_ arguments: [String]) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: try Program.named("threadmill").path, arguments: ["scenarios"] + arguments,
      environment: Program.environment(options: nil), limit: 120)
    return try await Slots.children.occupy { try await child.run() }
  }

  /// The document as an outsider reads it.
  private struct Document: Decodable {
    struct Row: Decodable, Equatable {
      var id: String
      var variant: String
      var mode: String
      var expected: [String]
      var seen: [String]
      var ok: Bool
    }

    var version: Int
    var rows: [Row]
  }

  private static let mode = Trial.Mode.current.rawValue

  @Test func whatIsRightIsGreen() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (json, html) = (directory.file("v.json"), directory.file("v.html"))
    let result = try await threadmill(
      [
        "verify", "--skip-build", "--mode", Self.mode, "--filter", "^relock|gate-lock", "--repeat",
        "2",
      ]
        + ["--json", json.path, "--html", html.path])
    #expect(result.outcome == .exited(0))
    let document = try JSONDecoder().decode(Document.self, from: Data(contentsOf: json))
    #expect(document.version == 1)
    let row = { (id: String, variant: String, kinds: [String]) in
      Document.Row(
        id: id, variant: variant, mode: Self.mode, expected: kinds, seen: kinds, ok: true)
    }
    #expect(
      document.rows == [
        row("relock", "flawed", ["selfDeadlock"]), row("relock", "repaired", []),
        row("gate-lock", "flawed", []), row("gate-lock", "repaired", []),
      ])
    let last = try #require(result.standardOutput.split(separator: "\n").last)
    #expect(last.hasPrefix("4 rows (\(Self.mode)): all as expected, 8 runs in "))
    #expect(result.standardError.contains("verify: 8 of 8\n"))
    let page = try String(contentsOf: html, encoding: .utf8)
    #expect(page.contains(">All as expected</h1>"))
  }

  @Test func whatIsWrongIsRedAndTold() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let json = directory.file("v.json")
    let result = try await threadmill(
      [
        "verify", "--skip-build", "--mode", Self.mode, "--filter",
        "^hammer-and-saw (flawed|repaired)",
      ]
        + ["--without", "lockOrderCycle", "--json", json.path])
    #expect(result.outcome == .exited(1))
    let document = try JSONDecoder().decode(Document.self, from: Data(contentsOf: json))
    #expect(document.rows.map(\.ok) == [false, true])
    #expect(document.rows.map(\.seen) == [[], []])
    let lines = result.standardOutput.split(separator: "\n")
    #expect(lines.contains("    must find lockOrderCycle, but finds nothing"))
    #expect(
      lines.last
        == """
        to see it again: threadmill scenarios verify --mode \(Self.mode) \
        --filter '^hammer-and-saw$' --without lockOrderCycle
        """)
  }

  @Test(
    arguments: [
      (["--mode", "exploit"], #"--mode "exploit" is not valid; allowed: plain, observe, tsan, "#),
      (["--sanitize", "address"], #"--sanitize "address" is not valid; allowed: thread"#),
      (
        ["--without", "deadlok"], #"--without "deadlok" is not valid; allowed: dataRace, lockOrder"#
      ),
      (["--filter", "^relok"], #"--filter "^relok" is not valid; allowed: a regular expression"#),
      (["--filter", "("], #"--filter "(" is not valid; allowed: a regular expression"#),
      (["--json", "/proc/none/x"], #"--json "/proc/none/x" is not valid; allowed: a file, not"#),
      (["--html", "/"], #"--html "/" is not valid; allowed: a file, not a folder, where the"#),
      (
        ["--jitter", "purple"],
        #"--jitter "purple" is not valid; allowed: light, heavy, starve, priority, near-miss, port"#
      ),
      (["--seed", "7"], #"--seed "7" is not valid; allowed: a seed where the mode jitter or"#),
      (
        ["--jitter", "heavy", "--seed", "-1"],
        #"--seed "-1" is not valid; allowed: a whole number from 0 to 18446744073709551615"#
      ),
      (["--repeat", "0"], #"--repeat "0" is not valid; allowed: a whole number from 1 to 10000"#),
      (["relock"], #""relock" is one too many"#),
    ])
  func wrongUsageIsNamed(_ words: [String], _ complaint: String) async throws {
    let result = try await threadmill(["verify"] + words)
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    #expect(result.standardError.contains("threadmill scenarios verify: \(complaint)"))
  }

  /// A file that cannot be written although its folder can is no finding.
  @Test func aFailureOfItsOwnIsNoFinding() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let tooLong = directory.file(String(repeating: "x", count: 300)).path
    let result = try await threadmill(
      [
        "verify", "--skip-build", "--mode", Self.mode, "--filter", "^gate-lock flawed", "--json",
        tooLong,
      ])
    #expect(result.outcome == .exited(3))
    #expect(result.standardError.contains(tooLong))
  }

  /// Neither beside the tool nor in a checkout.
  @Test func withoutAHostItSaysWhatIsMissing() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let tool = directory.file("threadmill").path
    let original = try Program.named("threadmill").path
    // Copied here, the file could still be open in a child that is just being started.
    let script = "cp '\(original)' '\(tool)' && cd / && exec '\(tool)' scenarios verify"
    let child = ChildProcess(
      executable: "/bin/sh", arguments: ["-c", script],
      environment: Program.environment(options: nil), limit: 120)
    let result = try await Slots.children.occupy { try await child.run() }
    #expect(result.outcome == .exited(3))
    #expect(result.standardError.contains("there is no scenario-host beside \(tool)"))
  }

  /// The children have sessions of their own: only the tool can tell them. A shell without a
  /// terminal starts the tool with SIGINT ignored.
  @Test func anInterruptionEndsItsChildren() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let tool = try Program.named("threadmill").path
    let marker = directory.url.path
    // The report lies below TMPDIR, so that each child has the folder in its environment.
    let script = """
      TMPDIR='\(marker)' '\(tool)' scenarios verify --skip-build --repeat 100 \\
        --mode \(Self.mode) &
      tool=$!
      running() { grep -lsa 'report="\(marker)' /proc/[0-9]*/environ; }
      until [ -n "$(running)" ]; do sleep 0.05; done
      kill -INT $tool
      wait $tool
      echo "status $?"
      running | wc -l
      """
    let child = ChildProcess(
      executable: "/bin/bash", arguments: ["-mc", script],
      environment: Program.environment(options: nil), limit: 120)
    let result = try await child.run()
    #expect(result.standardOutput == "status 130\n0\n")
  }

  @Test func listsEveryScenarioAsJSON() async throws {
    struct Listing: Decodable {
      struct Entry: Decodable {
        struct Row: Decodable {
          var variant: String
          var mode: String
          var required: [String]
          var allowed: [String]
        }

        var id: String
        var fault: String
        var summary: String
        var expectations: [Row]
      }

      var version: Int
      var scenarios: [Entry]
    }
    let result = try await threadmill(["list", "--json"])
    #expect(result.outcome == .exited(0))
    let listing = try JSONDecoder().decode(Listing.self, from: Data(result.standardOutput.utf8))
    #expect(listing.version == 1)
    #expect(listing.scenarios.map(\.id) == Scenario.all.map(\.id))
    #expect(listing.scenarios.map(\.summary) == Scenario.all.map(\.summary))
    let shed = try #require(listing.scenarios.first { $0.id == "hammer-and-saw" })
    #expect(shed.fault == "Deadlocks")
    let observed = shed.expectations.filter { $0.mode == "observe" }
    #expect(observed.map(\.variant) == ["flawed", "harmful", "repaired"])
    #expect(observed.map(\.required) == [["lockOrderCycle"], ["deadlock"], []])
    #expect(observed.map(\.allowed) == [[], ["lockOrderCycle"], []])
  }
}
