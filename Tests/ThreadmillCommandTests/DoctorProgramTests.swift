import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting
import ThreadmillSymbols
import ThreadmillTestSupport

@testable import ThreadmillCommand

/// The real `threadmill`, run as a child process.
@Suite struct DoctorProgramTests {
  private static let environment = Program.environment(options: nil)

  private func threadmill(
    _ arguments: [String], environment: [String: String] = environment
  ) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: try Program.named("threadmill").path, arguments: arguments,
      environment: environment, limit: 120)
    return try await Slots.children.occupy { try await child.run() }
  }

  /// The JSON document, as another program reads it.
  private struct Document: Decodable {
    struct Check: Decodable, Equatable {
      var check: String
      var verdict: String
      var sentence: String
      var cure: [String]
    }

    var version: Int
    var threadmill: String
    var ok: Bool
    var checks: [Check]
  }

  /// The child finds the facts that this process finds, on the same machine.
  @Test func itSaysWhatIsTrueOfThisMachine() async throws {
    let program = try Program.named("harness-orders").path
    let facts = MachineFacts.gather(
      quick: false, executable: program, environment: Self.environment)
    let report = DoctorReport(facts.diagnoses)

    let text = try await threadmill(["doctor", "--executable", program])
    #expect(text.outcome == .exited(report.status.rawValue))
    #expect(text.standardOutput == report.text())
    #expect(text.standardError == "")

    let json = try await threadmill(["doctor", "--executable", program, "--json"])
    #expect(json.outcome == .exited(report.status.rawValue))
    let document = try JSONDecoder().decode(
      Document.self, from: Data(json.standardOutput.utf8))
    #expect(document.version == 1)
    #expect(document.threadmill == Tool.version)
    #expect(document.ok == (report.status == .nothingFound))
    #expect(
      document.checks
        == report.diagnoses.map {
          .init(
            check: $0.check, verdict: $0.verdict.rawValue, sentence: $0.sentence, cure: $0.cure)
        })
  }

  /// A runtime that lays out an actor in another way is noticed by a run of the tool itself.
  @Test(.disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"))
  func aLayoutThatDiffersIsNamed() throws {
    func check(moving layouts: String?) -> Diagnosis? {
      var environment = Self.environment
      environment[MovedLayouts.variable] = layouts
      return MachineFacts.gather(quick: false, executable: nil, environment: environment)
        .diagnosis("layouts")
    }
    #expect(check(moving: nil)?.verdict == .ok)
    #expect(check(moving: nil)?.sentence == "the Swift runtime and Foundation fit 6.3.1")
    #expect(check(moving: "actor,keyPath")?.verdict == .warning)
    #expect(
      check(moving: "actor,keyPath")?.sentence
        == "not as in Swift 6.3.1, so not read: actor, keyPath")
  }

  #if os(Linux)
    /// The toolchain that built these tests is on the machine that runs them.
    @Test func theMachineIsSeen() throws {
      let facts = MachineFacts.gather(
        quick: false, executable: nil,
        environment: Self.environment.filter { $0.key != "TSAN_OPTIONS" })
      #expect(facts.system.name == "Linux")
      #expect(facts.toolchain != nil)
      #expect(facts.processors.usable >= 1)
      #expect(facts.diagnosis("thread sanitizer")?.verdict != .wrong)
    }

    /// `setarch -L` lays memory out so that the sanitizer finds no room, as does much
    /// randomisation.
    @Test(
      .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setarch"), "no setarch"),
      .disabled(if: isThreadSanitized, "the program itself would not start"))
    func whatKeepsTheSanitizerFromStartingIsTold() async throws {
      let child = ChildProcess(
        executable: "/usr/bin/setarch",
        arguments: ["-L", try Program.named("threadmill").path, "doctor"],
        environment: Self.environment, limit: 120)
      let result = try await Slots.children.occupy { try await child.run() }
      #expect(result.outcome == .exited(1))
      let line = try #require(
        result.standardOutput.split(separator: "\n").first { $0.contains("FATAL") })
      #expect(line.hasPrefix("wrong    thread sanitizer"))
      #expect(result.standardOutput.contains("→ setarch -R swift test --sanitize=thread"))
    }
  #endif

  @Test(arguments: [["docter"], ["doctor", "--jsn"], ["doctor", "--executable"], []])
  func wrongUsageIsTold(_ arguments: [String]) async throws {
    let result = try await threadmill(arguments)
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    #expect(throws: UsageError.self) { try CommandLineParser().parse(arguments) }
    do { _ = try CommandLineParser().parse(arguments) } catch {
      #expect(result.standardError == "\(error)\n")
    }
  }

  @Test func helpIsNoMistake() async throws {
    let overview = try await threadmill(["--help"])
    #expect(overview.outcome == .exited(0))
    #expect(overview.standardOutput == CommandHelp.overview())
    let version = try await threadmill(["--version"])
    #expect(version.standardOutput == "threadmill \(Tool.version)\n")
  }

  /// With the gate, the tool would watch itself, and each program that it starts would be watched
  /// twice.
  @Test func theGateIsNotLinked() throws {
    let parts = { (name: String) throws -> (Executable.Parts?, takesOver: Bool?) in
      let path = try Program.named(name).path
      guard case .program(let parts) = Executable(examining: path).content else {
        return (nil, nil)
      }
      return (parts, ELFFile.look(into: path) { $0.defines("pthread_mutex_lock") })
    }
    let tool = try parts("threadmill")
    #expect(tool.0?.hasGate == false)
    #expect(tool.0?.hasThreadSanitizer == isThreadSanitized)
    #expect(tool.takesOver == isThreadSanitized)
    // A program with the gate is recognised.
    let watched = try parts("harness-orders")
    #expect(watched.0?.hasGate == true)
    #expect(watched.takesOver == true)
    #expect(watched.0?.isStatic == false)
    #expect(watched.0?.hasSymbols == true)
    #expect(watched.0?.hasLines == true)
  }

  /// A program says of itself whether its accesses are steps, if it has Thread Sanitizer.
  @Test func wrappedAccessesAreRecognised() throws {
    let wraps = { (name: String) throws -> Bool? in
      let path = try Program.named(name).path
      guard case .program(let parts) = Executable(examining: path).content else { return nil }
      return parts.wrapsAccesses
    }
    #expect(try wraps("harness-explored-accesses") == (isThreadSanitized ? true : nil))
    #expect(try wraps("harness-explored") == (isThreadSanitized ? false : nil))
  }
}
