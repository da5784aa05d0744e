#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime

  /// Which tests run now, and the findings that each of them has to answer for.
  ///
  /// Every call is made inside `Gate.delivering`.
  struct Blame {
    fileprivate struct Test {
      let name: String
      /// How often it was opened.
      var times = 0
      var charges: [Finding] = []
      var expected = Expectation()
      /// The repetition that runs now.
      var repetition: Repetition?
    }

    /// One of several runs of a test.
    struct Repetition {
      var seed: Seed?
      /// Which one it is, and how to run it again.
      var words: String
    }

    /// By scope.
    private var open: [UInt32: Test] = [:]

    mutating func begin(_ name: String, _ scope: UInt32) {
      open[scope, default: Test(name: name)].times += 1
    }

    var running: [String] { open.values.map(\.name).sorted() }

    /// Gives out what the test has to answer for; it goes on if it was opened more than once. `nil`
    /// if it is not open.
    mutating func end(_ scope: UInt32) -> [Finding]? {
      guard let place = open.index(forKey: scope) else { return nil }
      let charges = open.values[place].charges
      open.values[place].charges = []
      open.values[place].times -= 1
      if open.values[place].times == 0 { open.remove(at: place) }
      return charges
    }

    /// Gives out the same, and the test goes on.
    mutating func take(_ scope: UInt32) -> [Finding] {
      defer { open[scope]?.charges = [] }
      return open[scope]?.charges ?? []
    }

    mutating func repeats(_ scope: UInt32, _ repetition: Repetition?) {
      open[scope]?.repetition = repetition
    }

    mutating func expect(_ kinds: Set<FindingKind>, _ scope: UInt32) {
      open[scope]?.expected.begin(kinds)
    }

    /// Returns the expected kinds of which nothing was found.
    mutating func endExpecting(_ kinds: Set<FindingKind>, _ scope: UInt32) -> [FindingKind] {
      open[scope]?.expected.end(kinds) ?? []
    }

    /// The tests that fail for a finding.
    enum Answer {
      case nobody, tests
      /// All of them expect it.
      case isExpected
    }

    /// Charges a finding to the tests whose code made it, or, when nobody's name is on it, to the
    /// only test that runs; a hang stops all of them. One that a repetition led to says which.
    mutating func charge(_ finding: inout Finding) -> Answer {
      if finding.tests.isEmpty, finding.severity != .note, open.count == 1 || finding.kind == .hang
      {
        finding.tests = running
      }
      let charged = open.keys.filter { finding.tests.contains(open[$0]?.name ?? "") }
      if let repetition = charged.compactMap({ open[$0]?.repetition }).first {
        finding.seed = repetition.seed?.rawValue ?? finding.seed
        finding.facts.append(Finding.Fact(repetition.words))
      }
      var isExpected = !charged.isEmpty
      for scope in charged where open[scope]?.expected.meets(finding.kind) == false {
        isExpected = false
        open[scope]?.charge(finding)
      }
      return isExpected ? .isExpected : charged.isEmpty ? .nobody : .tests
    }
  }

  extension Blame.Test {
    /// One race makes several reports, for each pair of stacks and each order: the test hears of it
    /// once.
    fileprivate mutating func charge(_ finding: Finding) {
      if let known = charges.firstIndex(where: finding.isSameRace) {
        charges[known].count += finding.count
      } else {
        charges.append(finding)
      }
    }
  }

  extension Finding {
    fileprivate func isSameRace(as other: Finding) -> Bool {
      kind == .dataRace && other.kind == .dataRace && fingerprint == other.fingerprint
    }
  }

  /// The findings that one test expects.
  ///
  /// The cases of a test with arguments may run at the same time and share it.
  private struct Expectation: Sendable {
    private var times: [FindingKind: Int] = [:]
    private var met: Set<FindingKind> = []

    mutating func begin(_ kinds: Set<FindingKind>) {
      for kind in kinds {
        if times[kind] == nil { met.remove(kind) }
        times[kind, default: 0] += 1
      }
    }

    mutating func end(_ kinds: Set<FindingKind>) -> [FindingKind] {
      for kind in kinds {
        let left = (times[kind] ?? 1) - 1
        times[kind] = left > 0 ? left : nil
      }
      return kinds.subtracting(met).sorted { $0.rawValue < $1.rawValue }
    }

    mutating func meets(_ kind: FindingKind) -> Bool {
      guard times[kind] != nil else { return false }
      met.insert(kind)
      return true
    }
  }
#endif
