import Foundation
import Testing
import ThreadmillTestSupport

/// A body or test that stands still at an `await` says which one, and different mistakes are
/// different findings.
@Suite struct AwaitHangTests {
  /// One line of the picture: what it says, and the user's function at the place.
  struct Line: Hashable {
    var text: String
    var function: String?
  }

  /// What a report says of a hang.
  struct Hang: Hashable {
    var fingerprint: String
    var lines: [Line]

    init(_ finding: ReportFile.Finding) {
      fingerprint = finding.fingerprint
      lines = (finding.facts ?? []).filter { $0.frames?.isEmpty == false }.map { fact in
        Line(text: fact.text, function: fact.frames?.firstUserFrame?.function)
      }
    }
  }

  /// - Parameter settings: what the exploration is asked for, which changes what comes first.
  private static func explored(_ name: String, _ settings: [String]) async throws -> [Hang] {
    let run = try await Watched(
      program: "harness-explored", arguments: ["as-test", name] + settings, options: ""
    ).run()
    let accusations = try #require(run.report).accusations
    #expect(accusations.allSatisfy { $0.kind == "hang" && $0.tests == ["Tests.one()"] })
    return accusations.map(Hang.init)
  }

  static let closure = "in variable initialization expression of static Bodies.awaits"
  static let nobody = "a continuation that nobody has resumed"
  static let hangs: [String: [Line]] = [
    "await-answer": [Line(text: "body waits for \(nobody)", function: "Post.answer()")],
    "await-parcel": [Line(text: "body waits for \(nobody)", function: "Post.parcel()")],
    "await-messenger": [
      Line(text: "body waits for the end of task 1", function: "closure #3 \(closure)"),
      Line(text: "task 1 waits for \(nobody)", function: "Post.parcel()"),
      Line(text: "task 1 was started", function: "closure #3 \(closure)"),
    ],
    "await-letters": [
      Line(text: "body waits for \(nobody)", function: "closure #4 \(closure)")
    ],
  ]

  @Test func eachHangHasAFingerprintAndATableOfItsOwn() async throws {
    var seen: [String: Set<Hang>] = [:]
    for (name, lines) in Self.hangs {
      // Other strategies and seeds come to other schedules, in processes with other addresses.
      for settings in [["20"], ["20", "random-walk", "7"], ["20", "pct", "3"]] {
        let found = try await Self.explored(name, settings)
        #expect(found.map(\.lines) == [lines], "\(name) \(settings)")
        seen[name, default: []].formUnion(found)
      }
    }
    #expect(seen.values.allSatisfy { $0.count == 1 }, "\(seen)")
    #expect(Set(seen.values.joined().map(\.fingerprint)).count == Self.hangs.count)
  }

  /// Which of the tasks comes first is chance; the one that never ends is what the body waits for.
  @Test func aGroupIsToldWithTheTaskThatDoesNotEnd() async throws {
    var fingerprints: Set<String> = []
    for seed in 1...3 {
      let found = try await Self.explored("await-messengers", ["20", "random-walk", "\(seed)"])
      let hang = try #require(found.first)
      fingerprints.insert(hang.fingerprint)
      #expect(
        hang.lines.map(\.function) == [
          "closure #5 \(Self.closure)", "Post.answer()",
          "closure #1 in closure #5 \(Self.closure)",
        ])
    }
    #expect(fingerprints.count == 1)
  }

  @Test func whatIsResumedInTheEndIsNoHang() async throws {
    #expect(try await Self.explored("await-answer-repaired", ["200"]).isEmpty)
  }
}
