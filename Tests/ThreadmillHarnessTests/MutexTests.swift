import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// `Synchronization.Mutex`: each lock and unlock is seen, and none is harmed.
@Suite struct MutexTests {
  /// A way to watch the program, and to compile it.
  struct Way: Sendable, CustomTestStringConvertible {
    var isPreloaded = false
    var isOptimised = false

    static var possible: [Way] {
      (isThreadSanitized ? [false] : [false, true]).flatMap { isPreloaded in
        [false, true].map { Way(isPreloaded: isPreloaded, isOptimised: $0) }
      }
    }

    var testDescription: String {
      "\(isPreloaded ? "preloaded" : "linked")\(isOptimised ? ", optimised" : "")"
    }

    func program(_ arguments: [String], options: String = "jitter=off") throws -> Watched {
      let arguments = (isOptimised ? ["optimised"] : []) + arguments
      guard isPreloaded else {
        return Watched(program: "harness-mutexes", arguments: arguments, options: options)
      }
      return Watched(
        program: "harness-mutexes-bare", arguments: arguments, options: options,
        environment: ["LD_PRELOAD": try Program.named("libThreadmillPreload.so").path])
    }
  }

  /// What the gate leaves in a free word.
  private static let marked = "2147483648"

  /// Two mutexes that are each locked twice in the whole process, and never waited for.
  @Test(arguments: Way.possible) func eachFirstLockIsSeen(way: Way) async throws {
    let run = try await way.program(["opposite"]).run()
    let finding = try #require(run.report?.accusations.first)
    #expect(run.report?.accusations.map(\.kind) == ["lockOrderCycle"])
    #expect(
      Set(finding.participants.compactMap(\.frames.firstUserFrame?.function))
        == ["closure #1 in Orders.Pair.leftFirst()", "closure #1 in Orders.Pair.rightFirst()"])
    #expect(
      Set(finding.participants.flatMap(\.holds).compactMap(\.frames.firstUserFrame?.function))
        == ["Orders.Pair.leftFirst()", "Orders.Pair.rightFirst()"])
    #expect(finding.objects.map(\.kind) == ["synchronizationMutex", "synchronizationMutex"])
    #expect(Set(finding.objects.compactMap(\.label)) == ["Pair.left", "Pair.right"])
  }

  /// In a superclass, in a generic class, behind large properties, in a structure, in an object
  /// with a weak reference; and in no object at all.
  @Test(arguments: Way.possible) func aMutexHasTheNameOfItsProperty(way: Way) async throws {
    let run = try await way.program(["named"]).run()
    #expect(run.child.standardOutput == "done\n")
    let findings = try #require(run.report?.accusations)
    #expect(findings.map(\.kind) == ["lockOrderCycle", "lockOrderCycle", "lockOrderCycle"])
    #expect(
      Set(findings.map { Set($0.objects.map(\.label)) }) == [
        ["Derived.inherited", "Derived.own"], ["Generic<String>.lock", "Whole.last"],
        ["Whole.part", nil],
      ])
  }

  @Test(arguments: Way.possible) func aMutexHeldAcrossAnAwaitIsTold(way: Way) async throws {
    let run = try await way.program(["held"]).runUntilItSays("Lock across suspension")
    let finding = try #require(run.report?.accusations.first)
    #expect(finding.kind == "lockAcrossSuspension")
    #expect(finding.objects.map(\.label) == ["Forecast.lock"])
    let functions = finding.participants.map { participant in
      ([participant.frames] + participant.holds.map(\.frames)).map(\.firstUserFrame?.function)
    }
    #expect(functions == [["Orders.Forecast.refresh()", "Orders.Forecast.refresh()"]])
  }

  /// A queue is a lock as well.
  @Test(arguments: Way.possible) func aMutexAndAQueueMakeACycle(way: Way) async throws {
    let run = try await way.program(["with-queue"]).run()
    #expect(run.report?.accusations.map(\.kind) == ["lockOrderCycle"])
    let finding = try #require(run.report?.accusations.first)
    #expect(Set(finding.objects.map(\.kind)) == ["synchronizationMutex", "serialQueue"])
    #expect(
      Set(finding.participants.flatMap(\.holds).compactMap(\.frames.firstUserFrame?.function))
        == ["Orders.Shelf.lockFirst()", "Orders.Shelf.queueFirst()"])
  }

  @Test(arguments: Way.possible) func aSecondLockIsToldBeforeTheTrap(way: Way) async throws {
    let run = try await way.program(["relock"]).run()
    #expect(run.child.outcome == .signalled(SIGILL))
    #expect(run.child.standardError.contains("Recursive call to lock Mutex"))
    #expect(run.report?.accusations.map(\.kind) == ["selfDeadlock"])
  }

  /// A gate, attempts, and a new mutex in the place of an old one.
  @Test(arguments: Way.possible) func whatOnlyLooksWrongIsSilent(way: Way) async throws {
    let run = try await way.program(["silent"]).run()
    #expect(run.child.standardOutput == "done\n")
    #expect(run.report?.accusations.map(\.title) == [])
  }

  /// Threads take the gate in all ways: by their own exchange, from the gate, from the kernel. Each
  /// time it is the same gate, and the thread is known to have it.
  @Test(arguments: Way.possible) func aContendedGateKeepsOrdersApart(way: Way) async throws {
    let run = try await way.program(["contended-gate", "300"]).run()
    #expect(run.child.standardOutput == "done\n")
    #expect(run.report?.accusations.map(\.title) == [])
    #expect(run.report?.accounting["mutexesSeen"] == 900)
  }

  /// The program says the same, watched or not: also with code on the same mutex that the gate does
  /// not reach, in a forked child, in shared memory, and if mutexes end with the flag in them.
  @Test(
    arguments: Way.possible, ["mixed", "owner", "fork", "shared", "moved", "short-lived", "calls"])
  func noMutexIsHarmed(way: Way, name: String) async throws {
    let said = [
      "mixed": "counted 0\nother 0\n", "owner": "owner true\ncounted 2\n",
      "fork": "parent 6 status 0\n", "shared": "counted 6\n", "moved": "counted 501\n",
      "short-lived": "sum 0 zero true\n", "calls": "wrong 0 took true\nwrong 0 has true\n",
    ]
    for options in ["jitter=off", "detect=false", "jitter=heavy seed=3"] {
      let run = try await way.program([name], options: options).run()
      #expect(run.child.standardOutput == said[name], "\(options)")
      #expect(run.child.outcome == .exited(0), "\(options)")
      #expect(run.child.standardError == "", "\(options)")
    }
  }

  /// The word as other code sees it. Code that the gate does not reach leaves 0 behind.
  @Test(arguments: Way.possible) func theFlagIsLeftBehind(way: Way) async throws {
    let run = try await way.program(["word"]).run()
    let marked = Self.marked
    #expect(
      run.child.standardOutput == "new 0\nused \(marked)\noptimised \(marked)\nforeign 0\n")
  }

  @Test(arguments: Way.possible) func withoutDetectionNoWordIsTouched(way: Way) async throws {
    let run = try await way.program(["word"], options: "detect=false").run()
    #expect(run.child.standardOutput == "new 0\nused 0\noptimised 0\nforeign 0\n")
  }

  /// No place is left out, and no lock is noticed only at its unlock.
  @Test(arguments: Way.possible) func nothingIsUnseen(way: Way) async throws {
    let run = try await way.program(["silent"]).run()
    let counts = try #require(run.report?.accounting)
    #expect(counts["mutexesSeen"] == 7)
    #expect(counts.keys.filter { $0.hasPrefix("mutex") } == ["mutexesSeen"])
  }

  @Test(.disabled(if: isThreadSanitized, "nothing is preloaded into a program with the sanitizer"))
  func aProgramWithoutOneIsNotCounted() async throws {
    let run = try await Watched(
      program: "harness-mutexes-none", arguments: [],
      environment: ["LD_PRELOAD": try Program.named("libThreadmillPreload.so").path]
    ).run()
    #expect(run.child.standardOutput == "1\n")
    let counts = try #require(run.report?.accounting)
    #expect(counts.keys.filter { $0.hasPrefix("mutex") } == [])
  }

  /// The gate finds code that locks a mutex by names in the symbol table.
  @Test(
    .disabled(if: isThreadSanitized, "nothing is preloaded into a program with the sanitizer"))
  func aProgramWithoutSymbolsIsCounted() async throws {
    guard Tool.strip.isThere else { try Test.cancel("there is no strip") }
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let stripped = directory.file("stripped")
    try await Tool.strip.run(
      "-o", stripped.path, try Program.named("harness-mutexes-bare").path)
    let report = directory.file("report.json")
    let child = ChildProcess(
      executable: stripped.path, arguments: ["optimised", "contended-gate", "1"],
      environment: Program.environment(options: "jitter=off report=\(report.path)").merging(
        ["LD_PRELOAD": try Program.named("libThreadmillPreload.so").path]) { $1 },
      limit: Program.limit)
    #expect(try await child.run().standardOutput == "done\n")
    let counts = try #require(try ReportFile(at: report)?.accounting)
    #expect(counts["mutexImagesUnseen"] == 1)
  }
}
