import Testing
import ThreadmillTestSupport

/// Operations of Foundation: what is wrong with them is found, and nothing else.
@Suite struct OperationTests {
  static let correct = [
    "addresses-used-again", "asynchronous", "main-queue-from-elsewhere",
    "ring-broken-by-cancellation", "ring-broken-by-removal", "ring-broken-by-the-past",
    "ring-of-the-always-ready", "started-after-its-end", "waits-for-another-queue",
    "waits-in-its-own-wide-queue",
  ]

  /// What each faulty one is accused of.
  static let faulty: [String: String] = [
    "long-ring": """
    Operation cycle: Step "step 11" waits for Step "step 0", Step "step 0" waits for \
    Step "step 1", Step "step 1" waits for Step "step 2", Step "step 2" waits for \
    Step "step 3", Step "step 3" waits for Step "step 4", Step "step 4" waits for \
    Step "step 5", Step "step 5" waits for Step "step 6", and so on through 5 more to the first
    """,
    "ring-closed-by-two-threads": """
    Operation cycle: Step "step 1" waits for Step "step 0", Step "step 0" waits for Step "step 1"
    """,
    "ring-after-a-broken-one": """
    Operation cycle: Step "step 3" waits for Step "step 0", Step "step 0" waits for \
    Step "step 2", Step "step 2" waits for Step "step 3"
    """,
    "on-itself": """
    Operation cycle: Step "alone" waits for Step "alone"
    """,
    "waits-for-its-follower": """
    Deadlock: BlockOperation "leader" waits for Step "follower", which waits for it by dependency
    """,
    "waits-in-a-narrow-queue": """
    Deadlock: BlockOperation L waits for Step "inner", which comes after it in a queue that runs \
    one operation at a time
    """,
    "main-waits-for-main": """
    Deadlock: the main thread waits for Step "shown", which only the main thread can run
    """,
    "started-while-executing": """
    Operation used again: BlockOperation "running" is started while it is executing
    """,
  ]

  @Test func everyCaseIsTested() async throws {
    let run = try await Watched(program: "harness-operations", arguments: ["list"]).run()
    let names = run.child.standardOutput.split(separator: "\n").map(String.init)
    #expect(names == (Self.correct + Self.faulty.keys).sorted())
  }

  @Test(arguments: correct) func aCorrectOneIsSilent(_ name: String) async throws {
    let run = try await Watched(program: "harness-operations", arguments: [name]).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }

  @Test(arguments: faulty.keys.sorted()) func aFaultyOneIsFound(_ name: String) async throws {
    let run = try await Watched(program: "harness-operations", arguments: [name]).run { file in
      .when { (try? ReportFile(at: file))?.accusations.isEmpty == false }
    }
    let titles = try #require(run.report).accusations.map(\.title)
    let words = titles.map { $0.replacing(#/ L[0-9]+/#, with: " L") }
    #expect(words == [Self.faulty[name]])
  }

  /// Finished operations are forgotten: two hundred waves take no more memory than a hundred, but
  /// for what the allocators keep. Before that, the fibres of Thread Sanitizer grow to their size.
  @Test func manyOperationsAreForgotten() async throws {
    let few = try await peak(waves: 100)
    let many = try await peak(waves: 200)
    #expect(many < few + few / 4, "\(few) KiB, then \(many) KiB")
  }

  private func peak(waves: Int) async throws -> Int {
    let program = Watched(
      program: "harness-operations", arguments: ["waves", "\(waves)", "80"])
    let run = try await program.run()
    #expect(run.child.outcome == .exited(0))
    #expect(try #require(run.report).accusations.map(\.title) == [])
    return try #require(Int(run.child.standardOutput.filter(\.isNumber)))
  }
}
