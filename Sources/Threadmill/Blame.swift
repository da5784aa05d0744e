#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime

  /// Which tests run now, and the findings that each of them has to answer for.
  ///
  /// Every call is made inside `Gate.delivering`.
  struct Blame {
    /// The open scopes by test name, with how often each was opened.
    private var open: [String: Int] = [:]
    private var charges: [String: [Finding]] = [:]

    mutating func begin(_ test: String) { open[test, default: 0] += 1 }

    /// What `test` has to answer for; it may still be open.
    mutating func settle(_ test: String) -> [Finding] { charges.removeValue(forKey: test) ?? [] }

    var running: [String] { open.keys.sorted() }

    /// Whether it was open.
    mutating func end(_ test: String) -> Bool {
      guard let count = open[test] else { return false }
      open[test] = count > 1 ? count - 1 : nil
      return true
    }

    /// Charges a finding to the tests whose code made it, or, when nobody's name is on it, to the
    /// only test that runs; a hang stops all of them.
    ///
    /// Returns the tests that were charged; none if the finding belongs to nobody who could answer.
    mutating func charge(_ finding: inout Finding) -> [String] {
      if finding.tests.isEmpty, finding.severity != .note, open.count == 1 || finding.kind == .hang
      {
        finding.tests = open.keys.sorted()
      }
      let charged = finding.tests.filter { open[$0] != nil }
      for test in charged { charges[test, default: []].append(finding) }
      return charged
    }
  }
#endif
