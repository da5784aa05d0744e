import CThreadmillConformance
import Foundation
import Testing
import ThreadmillTestSupport

/// Whatever Thread Sanitizer is told, correct programs get no finding that comes of the gate, and
/// races are found that it finds without the gate.
@Suite(
  .enabled(if: conformance_built_with_tsan(), "needs --sanitize=thread"),
  .enabled(if: hasSeveralProcessors, "two threads have to run at once"))
struct SanitizerFlagTests {
  /// The flags that the runtime of this toolchain documents.
  @Test func everyFlagIsTriedOrLeftOut() async throws {
    let help = try await Child("law2-bare", ["list"], tsanOptions: "help=1")
    let documented = (help.lines + help.errors.split(separator: "\n").map(String.init))
      .filter { $0.hasPrefix("\t") && !$0.hasPrefix("\t\t") }.map { String($0.dropFirst()) }
    #expect(documented.count > 100)
    let tried = SanitizerFlags.groups.flatMap(\.names)
    #expect(Set(documented) == Set(tried).union(SanitizerFlags.leftOut.keys))
    #expect(Set(tried).isDisjoint(with: SanitizerFlags.leftOut.keys))
  }

  /// One program for each way in which something is handed over.
  static let correct = [
    "lock", "recursive-lock", "condition", "posix-semaphore", "create-and-join", "serial-async",
    "barrier", "dispatch-semaphore", "group-notify", "once", "operations", "task-group",
  ]

  @Test(arguments: SanitizerFlags.groups.filter { !$0.isNoisy })
  func correctProgramsAreSilent(_ flags: SanitizerFlags) async throws {
    for program in Self.correct {
      let observed = try await run("law2-observed", program, flags)
      #expect(observed.status == 0, "\(program): \(observed.errors)")
      #expect(!observed.saysSomething, "\(program): \(observed.errors)")
    }
  }

  /// With this flag the sanitizer reports memory that libraries free, now and then and without the
  /// gate, too. No report is about what a function did that the gate has called for a library.
  /// Before such reports were dropped, three of these programs had one in every run.
  @Test(arguments: correct) func noCallOfTheGateIsReported(_ program: String) async throws {
    let options = "atexit_sleep_ms=0:exitcode=66:ignore_interceptors_accesses=0"
    let observed = try await Child("law2-observed", [program], tsanOptions: options)
    let calls = observed.errors.matches(of: #/of size .*\n    #0 (.*)\n    #1 (.*)\n/#)
      .filter { $0.2.contains("/CThreadmillGate/") }
    #expect(calls.map { "\($0.1)" } == [], "\(observed.errors)")
  }

  /// Racy programs that the sanitizer reports in every run. Where it does not with these flags, the
  /// gate need not, either; without annotations the gate may hide a race (`doctor` says so).
  @Test(
    arguments: SanitizerFlags.groups.filter { $0.text != "enable_annotations=0" },
    ["no-lock", "opposite-pairs", "two-tasks"])
  func racesAreFound(_ flags: SanitizerFlags, _ program: String) async throws {
    let bare = try await telling("law2-bare", program, flags)
    let observed = try await telling("law2-observed", program, flags)
    #expect(bare.saysSomething == observed.saysSomething, "\(observed.errors)")
    #expect((bare.status == 0) == (observed.status == 0))
  }

  /// Returns the only run; of ten runs the first that reports something, or the last, if the flags
  /// make the sanitizer forget all accesses again and again (`flush_memory_ms`): it then misses a
  /// race whose two sides it did not remember together. One in a hundred is missed by ten runs with
  /// a probability of 1e-20.
  private func telling(
    _ executable: String, _ program: String, _ flags: SanitizerFlags
  ) async throws -> Child {
    var child = try await run(executable, program, flags)
    let more = flags.names.contains("flush_memory_ms") ? Self.tries - 1 : 0
    for _ in 0..<more where !child.saysSomething {
      child = try await run(executable, program, flags)
    }
    return child
  }

  /// So many runs of each kind. A report that comes in half of the runs, bare and observed alike,
  /// comes in all of one kind and in none of the other with a probability of 2 to the power of -20.
  private static let tries = 10

  /// With these two flags Thread Sanitizer looks into libraries, too. What it reports in every run
  /// of one kind it reports in some run of the other.
  @Test(arguments: ["target-queue", "opposite-pairs"])
  func reportsOfLibrariesAreTheSame(_ program: String) async throws {
    let flags = SanitizerFlags(name: "both", text: SanitizerFlags.both)
    let bare = try await all("law2-bare", program, flags)
    let observed = try await all("law2-observed", program, flags)
    func always(_ runs: [Set<RaceSides>]) -> Set<RaceSides> {
      runs.dropFirst().reduce(runs[0]) { $0.intersection($1) }
    }
    func ever(_ runs: [Set<RaceSides>]) -> Set<RaceSides> { runs.reduce([]) { $0.union($1) } }
    #expect(!always(bare).isEmpty)
    #expect(always(bare).subtracting(ever(observed)) == [], "lost")
    #expect(always(observed).subtracting(ever(bare)) == [], "added")
  }

  private func run(_ executable: String, _ program: String, _ flags: SanitizerFlags) async throws
    -> Child
  {
    let wait = flags.names.contains("atexit_sleep_ms") ? "" : "atexit_sleep_ms=0:"
    return try await Child(executable, [program], tsanOptions: wait + flags.text)
  }

  /// The reports of each run, of several.
  private func all(
    _ executable: String, _ program: String, _ flags: SanitizerFlags
  ) async throws -> [Set<RaceSides>] {
    var runs: [Set<RaceSides>] = []
    for _ in 0..<Self.tries { runs.append(try await reports(executable, program, flags)) }
    return runs
  }

  /// The sides of all reports that the sanitizer prints itself.
  private func reports(
    _ executable: String, _ program: String, _ flags: SanitizerFlags
  ) async throws -> Set<RaceSides> {
    let options = "atexit_sleep_ms=0:exitcode=66:" + flags.text
    return RaceSides.all(in: try await Child(executable, [program], tsanOptions: options).errors)
  }
}

/// The kind of a report, and the function that made each access, sorted.
private struct RaceSides: Hashable {
  let kind: String
  let functions: [String]

  static func all(in text: String) -> Set<RaceSides> {
    let marker = "WARNING: ThreadSanitizer: "
    return Set(
      text.split(separator: "==================\n").compactMap { part in
        guard let start = part.range(of: marker) else { return nil }
        let kind = part[start.upperBound...].prefix { $0 != "\n" && $0 != "(" }
        let accesses = part.matches(of: #/of size .*\n    #0 (\S+)/#).map { String($0.1) }
        return RaceSides(kind: String(kind), functions: accesses.sorted())
      })
  }
}

extension Child {
  /// Whether the sanitizer or the gate has reported something.
  fileprivate var saysSomething: Bool {
    errors.contains("WARNING: ThreadSanitizer") || errors.contains("Data race")
  }
}
