import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// What many processes of one run have to say ends in one file, and nothing of it is lost.
@Suite struct ManyProcessesTests {
  private static let scenarios = ["hammer-and-saw", "three-lock-ring", "callback-under-lock"]
  private static let processes = 20

  /// How often each finding was seen, by fingerprint.
  private typealias Counts = [String: Int]

  @Test func manyProcessesAtOnceLoseNothing() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let alone = try await countsAlone()
    let outcomes = try await withThrowingTaskGroup(of: ChildProcess.Outcome.self) { group in
      for number in 0..<Self.processes {
        let scenario = Self.scenarios[number % Self.scenarios.count]
        let child = try Watched.scenario(scenario, "flawed").child(options: "report=\(file.path)")
        group.addTask { try await child.run().outcome }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes == Array(repeating: .exited(1), count: Self.processes))
    let report = try #require(try ReportFile(at: file))
    #expect(report.run.processes == Self.processes)
    #expect(counts(in: report) == expected(from: alone))
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(names == ["report.json"])
  }

  private func expected(from alone: [Counts]) -> Counts {
    var sum: Counts = [:]
    for number in 0..<Self.processes {
      sum.merge(alone[number % alone.count], uniquingKeysWith: +)
    }
    return sum
  }

  private func countsAlone() async throws -> [Counts] {
    var all: [Counts] = []
    for scenario in Self.scenarios {
      let run = try await Watched.scenario(scenario, "flawed").run()
      let counts = counts(in: try #require(run.report))
      #expect(counts.count == 1)
      all.append(counts)
    }
    return all
  }

  private func counts(in report: ReportFile) -> Counts {
    Dictionary(report.findings.map { ($0.fingerprint, $0.count) }, uniquingKeysWith: +)
  }
}
