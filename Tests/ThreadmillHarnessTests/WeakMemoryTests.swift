import Testing
import ThreadmillModel
import ThreadmillScenarios
import ThreadmillTestSupport

/// Explorations in which atomic loads read any store that C++20 allows. The scenarios have orders
/// that are too weak in their flawed form, and as weak as may be in the other.
@Suite(.enabled(if: isThreadSanitized, "only in such a build are atomic accesses seen"))
struct WeakMemoryTests {
  /// What the machine never does here, and no race detector sees.
  static let hidden = [
    "dekker-flags", "peterson-lock", "ring-tail", "sequence-lock", "last-owner", "chase-lev",
    "in-c", "in-a-pair",
  ]
  /// Plain memory that is handed over by too weak a store.
  static let races = ["relaxed-flag", "lazy-pointer", "spin-lock", "is-loaded"]
  /// Right programs, most of them with edges that the runtime alone knows of.
  static let edges = [
    "lazy-reference", "awaited", "async-let", "grouped", "resumed", "last-release",
  ]

  private func facts(
    _ arguments: [String], memory: String = "weak"
  ) async throws -> [String: String] {
    try await ExploreTests.facts(
      of: "harness-weak-memory", arguments, options: "memory=\(memory)", reportsRaces: true)
  }

  @Test func theCatalogueIsCovered() {
    let rows = Scenario.all.filter { $0.fault == .memory }.map(\.id)
    #expect(Set(rows).subtracting(Self.hidden).subtracting(Self.races) == ["treiber-stack"])
  }

  /// Within 1,000 schedules of each seed; the schedule is followed in another process, too, where
  /// nothing else asks for weak memory.
  @Test(arguments: hidden) func aWeakOrderIsFound(name: String) async throws {
    let found = try await facts([name, "flawed", "5"])
    #expect(found["failures"] == "5", "\(found)")
    #expect(found["replayed"] == "5")
    #expect(found["nondeterminism"] == nil)
    let text = try #require(found["schedule"])
    let schedule = try Schedule(parsing: text)
    #expect((1...3).contains(schedule.picks.count), "\(text)")
    let again = try await facts([name, "flawed", text], memory: "strong")
    #expect(again["cause"] == found["cause"])
    #expect(again["divergence"] == "none")
  }

  @Test(arguments: hidden + races + edges + ["treiber-stack"])
  func theRightOrderIsSilent(name: String) async throws {
    let found = try await facts([name, "repaired", "1"])
    #expect(found["failures"] == "0", "\(found)")
    #expect(found["schedules"] == "1000")
    #expect(found["nondeterminism"] == nil)
  }

  /// The model forgets all at once where it cannot keep what is new one by one. The body has no
  /// choice, so two schedules are all.
  @Test func muchThatIsNewIsForgottenAtOnce() async throws {
    let found = try await facts(["allocating", "repaired", "1", "5"])
    #expect(found["failures"] == "0", "\(found)")
    #expect(found["schedules"] == "2")
  }

  /// What the machine does is always right here.
  @Test(arguments: hidden) func strongMemoryHidesIt(name: String) async throws {
    let found = try await facts([name, "flawed", "1"], memory: "strong")
    #expect(found["failures"] == "0", "\(found)")
  }

  /// The two facts that end a race: about the store, and about the load.
  @Test(
    arguments: [
      ("relaxed-flag", "Inbox.postRelaxed(_:)", "Inbox.wait()", true),
      ("lazy-pointer", "Registry.settingsRelaxed()", "Registry.settingsRelaxed()", false),
      ("spin-lock", "Counter.addRelaxed()", "Counter.lock()", true),
      ("is-loaded", "closure #1 in Currency.rateRelaxed()", "Currency.rateRelaxed()", false),
    ], ["weak", "strong"])
  func aRaceNamesTheStoreThatHandsItOver(
    _ row: (name: String, store: String, load: String, acquires: Bool), memory: String
  ) async throws {
    let run = try await Watched(
      program: "harness-weak-memory", arguments: [row.name, "flawed"], options: "memory=\(memory)",
      environment: ["TSAN_OPTIONS": "atexit_sleep_ms=0"]
    ).run()
    let finding = try #require(run.report?.findings.first { $0.kind == "dataRace" })
    let facts = try #require(finding.facts).suffix(2).map { fact in
      let text = fact.text.replacing(#/T\d+/#, with: "T")
      return "\(text) | \(fact.frames?.first?.function ?? "")"
    }
    let load =
      row.acquires
      ? "acquiring, as it has to be"
      : "relaxed: what T does after it may come before it; .acquiring orders that"
    #expect(
      facts == [
        "the store that hands it over is relaxed: T sees its value, and not what T did before it; "
          + ".releasing orders that | \(row.store)",
        "the load that takes it over is \(load) | \(row.load)",
      ])
  }

  @Test func theTableSaysWhatWasRead() async throws {
    let run = try await Watched(
      program: "harness-weak-memory", arguments: ["ring-tail", "flawed"], options: "memory=weak",
      environment: ["TSAN_OPTIONS": "atexit_sleep_ms=0"]
    ).run()
    let output = run.child.standardOutput
    let words =
      #/(?<object>\#\d+): reads 0, although 1 was stored at step (?<step>\d+) by thread \d \(relaxed /#
    let note = try #require(output.firstMatch(of: words), "\(output)")
    // The store that is spoken of has a line, in the middle of a turn or not.
    let store = try Regex("\n +\(note.step) .* write \(note.object) ")
    #expect(output.contains(store), "\(output)")
    // The compiler's own variables, and accesses of Threadmill's, tell nobody anything.
    #expect(!output.contains(" cache variable for ") && !output.contains("function pointer to"))
  }

  @Test func aProgramWithoutPointsIsTold() async throws {
    let run = try await Watched(
      program: "harness-explored", arguments: ["opposite-locks"], options: "memory=weak"
    ).run()
    let lines = run.child.standardError.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("threadmill: memory=weak has no effect") } == 1)
  }
}
