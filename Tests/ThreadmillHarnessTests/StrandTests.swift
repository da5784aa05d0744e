import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// Under Thread Sanitizer, blocks and tasks are compared, whichever thread ran them.
@Suite(.enabled(if: isThreadSanitized, "only such a build reports races"))
struct StrandTests {
  private static let program = "harness-strands"

  /// - Parameter cores: how many of the machine's the program gets; `nil` for all.
  private func run(
    _ what: String, times: Int = 1, options: String = "", cores: Int? = nil
  ) async throws -> Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    var environment = Program.environment(
      options: "report=\(file.path) \(options)", reportsRaces: true)
    environment["TSAN_OPTIONS"] = "atexit_sleep_ms=0"
    let words = [try Program.named(Self.program).path, what, "\(times)"]
    let child = ChildProcess(
      executable: "/usr/bin/env",
      arguments: (cores == nil ? [] : ["taskset", "-c", "0"]) + words, environment: environment,
      limit: Program.limit)
    let result = try await Slots.children.occupy { try await child.run() }
    let report = try #require(try ReportFile(at: file), "\(what): \(result.standardError)")
    let races = report.findings.filter { $0.kind == "dataRace" }
    return Run(result: result, races: races, counts: report.accounting)
  }

  private struct Run {
    let result: ChildProcess.Result
    let races: [ReportFile.Finding]
    let counts: [String: Int]
  }

  private func names(racy: Bool) async throws -> [String] {
    let list = try await run("list").result.standardOutput.split(separator: "\n").map(String.init)
    return list.filter { $0.hasPrefix("race") == racy }
  }

  /// Each time, on as many cores as there are and on one: what runs on a thread before something
  /// else is not ordered by that. Nothing is left to chance.
  @Test(arguments: [nil, 1]) func aRaceIsFoundWhicheverThreadRanIt(cores: Int?) async throws {
    let names = try await names(racy: true)
    #expect(names.count >= 21)
    for name in names {
      for _ in 0..<3 {
        let run = try await run(name, cores: cores)
        #expect(run.races.count >= 1, "\(name): \(run.result.standardError)")
        #expect(run.result.outcome == .exited(1), "\(name)")
      }
    }
  }

  @Test(arguments: [nil, 1]) func whatIsOrderedIsNoRace(cores: Int?) async throws {
    let names = try await names(racy: false)
    #expect(names.count >= 35)
    for name in names {
      let run = try await run(name, times: 5, cores: cores)
      #expect(run.races.map(\.title) == [], "\(name)")
      #expect(run.result.outcome == .exited(0), "\(name): \(run.result.standardError)")
    }
  }

  @Test func aRaceNamesTheBlocks() async throws {
    let race = try #require(try await run("raceBlocks", cores: 1).races.first)
    #expect(race.title.contains("a block of queue \"blocks\""))
    #expect(race.title.contains("that another block of queue \"blocks\""))
    #expect(race.participants.count == 2)
  }

  @Test func aRaceNamesTheTasks() async throws {
    let race = try #require(try await run("raceTasks", cores: 1).races.first)
    #expect(race.title.contains("Swift task"))
    #expect(race.participants.allSatisfy { $0.role.contains("Swift task") })
  }

  /// Each block of a serial queue goes on with the fibre of the block before: libdispatch may give
  /// the queue to a few threads in turn, and each of these keeps one.
  @Test func whatIsOrderedSharesAFibre() async throws {
    let run = try await run("serialMany", times: 20)
    #expect(run.result.outcome == .exited(0), "\(run.result.standardError)")
    #expect(run.counts["strandsOrderedByReuse"] == nil)
    #expect(try #require(run.counts["strandFibres"]) <= 16)
  }

  /// Blocks that nothing orders need a fibre each, and memory for it: their number is limited.
  @Test func fibresAreLimited() async throws {
    let run = try await run("groupsMany", times: 20)
    #expect(run.result.outcome == .exited(0), "\(run.result.standardError)")
    #expect(try #require(run.counts["strandFibres"]) <= 128)
  }

  /// The gate's own clocks follow the strands: whoever waits for an item knows its end.
  @Test(arguments: ["work-item-wait", "work-item-notify"])
  func whatAnItemOrdersIsNoCycle(_ name: String) async throws {
    let run = try await Watched(
      program: "harness-orders", arguments: [name, "ordered"], options: "pool=2 strands=true"
    ).run()
    #expect(run.child.outcome == .exited(0))
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }

  /// On one core libdispatch runs each iteration on the thread that asked for them, which then
  /// orders them for the sanitizer.
  @Test func withoutStrandsThreadsAreCompared() async throws {
    let run = try await run("raceIterations", options: "strands=false", cores: 1)
    #expect(run.races.map(\.title) == [])
    #expect(run.result.outcome == .exited(0), "\(run.result.standardError)")
  }
}
