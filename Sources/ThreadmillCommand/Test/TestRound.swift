import Foundation
import ThreadmillChildren
import ThreadmillModel

/// Runs tests of a package once: batch by batch, or as many batches at a time as there are cores.
struct TestRound: Sendable {
  private(set) var process: TestProcess
  /// All tests there are.
  let all: [PackageTest]
  let isParallel: Bool
  /// Each test runs in a process of its own.
  private(set) var isApart: Bool
  /// Each schedule of an exploration runs in a process of its own.
  let isIsolated: Bool

  /// Bytes of names for one command line, well below what the kernel allows for one argument.
  private static let most = 100_000

  func run(_ tests: [PackageTest], telling options: Options) async throws -> TestBatch.Result {
    var options = options
    if options.mode == .explore, options.cores == 0 {
      let free = min(MachineFacts.Processors.current.free, Options.mostCores)
      options.cores = isParallel ? 1 : free
    }
    let batches = batches(of: tests, areIsolated: isIsolated && options.mode == .explore)
    let slots = Slots(isParallel ? MachineFacts.Processors.current.free : 1)
    let results = try await withThrowingTaskGroup(of: (Int, TestBatch.Result).self) { group in
      for (index, batch) in batches.enumerated() {
        group.addTask { [options] in (index, try await self.result(of: batch, slots, options)) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    // In the order of the batches, whichever ended first.
    return results.sorted { $0.key < $1.key }.map(\.value).reduce(into: TestBatch.Result()) {
      whole, part in
      whole.output += part.output
      whole.hasPassed = whole.hasPassed && part.hasPassed
      whole.tests = TestResult.merged(whole.tests + part.tests)
      whole.report = part.report.map { whole.report?.merged(with: $0) ?? $0 } ?? whole.report
    }
  }

  /// A round of explorations of the same tests, which may take longer than a test may.
  var exploring: TestRound {
    var round = self
    round.isApart = true
    round.process.limit = .usual
    round.process.progress = nil
    return round
  }

  private func result(
    of batch: TestBatch, _ slots: Slots, _ options: Options
  ) async throws -> TestBatch.Result {
    try await slots.occupy { try await batch.run(in: process, telling: options) }
  }

  private func batches(of tests: [PackageTest], areIsolated: Bool) -> [TestBatch] {
    [PackageTest.Library.xctest, .swiftTesting].flatMap { library -> [TestBatch] in
      let all = all.filter { $0.library == library }
      return split(tests.filter { $0.library == library }).map {
        TestBatch(tests: $0, all: all, isIsolated: areIsolated)
      }
    }
  }

  /// In processes of their own: classes of XCTest where they are to run side by side, and what does
  /// not fit into one command line.
  private func split(_ tests: [PackageTest]) -> [[PackageTest]] {
    var parts: [[PackageTest]] = []
    var bytes = 0
    for test in tests {
      let isNew =
        parts.isEmpty || isApart || (isParallel && parts.last?.first?.group != test.group)
        || bytes + test.name.utf8.count > Self.most
      if isNew {
        parts.append([])
        bytes = 0
      }
      parts[parts.count - 1].append(test)
      bytes += test.name.utf8.count + 32
    }
    return parts
  }
}
