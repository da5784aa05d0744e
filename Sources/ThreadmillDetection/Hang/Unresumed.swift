import ThreadmillModel

/// Tasks of a standstill that wait for a continuation. No thread waits for these tasks, so they
/// make findings of their own: an error for tasks that keep tests from their end, a note for the
/// others, which may wait by design.
struct Unresumed {
  /// The most places that are shown.
  private static let placesShown = 8

  /// The continuations, grouped by the place where tasks wait for them.
  private var crowds: [[Standstill.Fact]] = []

  static func findings(of standstill: Standstill) -> [Finding] {
    let facts = standstill.facts.filter { $0.statement.tests != nil }
    return [facts.filter { !$0.keptTests.isEmpty }, facts.filter(\.keptTests.isEmpty)]
      .filter { !$0.isEmpty }.map { Unresumed($0).finding }
  }

  private init(_ facts: [Standstill.Fact]) {
    for fact in facts {
      if let index = crowds.firstIndex(where: { $0[0].place == fact.place }) {
        crowds[index].append(fact)
      } else {
        crowds.append([fact])
      }
    }
  }

  private var finding: Finding {
    let shown = crowds.prefix(Self.placesShown)
    let more = crowds.dropFirst(Self.placesShown).map(\.count).reduce(0, +)
    let rest = more > 0 ? [Finding.Fact("\(more) more like these, elsewhere")] : []
    let tests = Set(crowds.joined().flatMap(\.keptTests)).sorted()
    return Finding(
      kind: .hang, status: .observed, severity: tests.isEmpty ? .note : .error, title: title,
      participants: [], objects: shown.map { $0[0].object },
      facts: shown.map(Self.sentence) + rest, tests: tests)
  }

  private var title: String {
    let count = crowds.map(\.count).reduce(0, +)
    return count == 1
      ? "Hang: a task waits for \(crowds[0][0].object.displayName), which nobody has resumed"
      : "Hang: \(count) tasks wait for continuations that nobody has resumed"
  }

  static func sentence(_ alike: [Standstill.Fact]) -> Finding.Fact {
    let more = alike.count == 1 ? "" : " and \(alike.count - 1) more like it"
    let were = alike.count == 1 ? "was" : "were"
    return .init(
      "\(alike[0].object.displayName)\(more) \(were) made and not resumed", frames: alike[0].place)
  }
}

extension Standstill.Fact {
  fileprivate var keptTests: [String] { statement.tests ?? [] }
}

extension Standstill.Fact.Statement {
  /// The tests that a continuation keeps from their end; `nil` for every other statement.
  fileprivate var tests: [String]? {
    if case .unresumed(let tests) = self { tests } else { nil }
  }
}
