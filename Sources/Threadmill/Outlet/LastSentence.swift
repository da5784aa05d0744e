#if os(Linux)
  import ThreadmillModel

  /// The last lines on standard error when a hang ends the process: which tests hung, each with the
  /// user's line, which others were running, and what happens to the remaining ones.
  struct LastSentence {
    /// Findings of hangs.
    var hangs: [Finding]
    /// Tests that had begun and not ended.
    var running: [String]
    var seconds: Int
    /// The user's place that a finding is about.
    var place: (Finding) -> String?

    var text: String {
      lines.map { "threadmill: \($0)\n" }.joined()
    }

    private var lines: [String] {
      let hung = hangs.flatMap { hang in hang.tests.map { ($0, place(hang)) } }
      var seen: Set<String> = []
      let tests = hung.filter { seen.insert($0.0).inserted }.map { test, place in
        "\(test) hung\(place.map { " at \($0)" } ?? ""): nothing moved for \(seconds) s"
      }
      let others = running.filter { !seen.contains($0) }
      let besides = others.isEmpty ? [] : ["also running: \(others.joined(separator: ", "))"]
      let first = tests.isEmpty ? ["nothing moved for \(seconds) s"] : tests
      let end = running.isEmpty ? "" : "; tests that had not ended count as failed"
      return first + besides + ["the process ends here, with status \(ExitStatus.findings)\(end)"]
    }
  }
#endif
