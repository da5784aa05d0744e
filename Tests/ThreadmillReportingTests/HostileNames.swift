import ThreadmillModel

/// Names that would be something else in the syntax of some format.
enum HostileNames {
  static let all = [
    #"a "quoted" 'name' \ with \n and \" and \\"#, "</script><script>alert(1)</script>",
    "]]> & &amp; <!-- --> {{x}} %0A", "bell \u{7} escape \u{1B}[31m return \r next \u{85} end",
    "emoji 🧵👩‍👩‍👧 عربى \u{202E}right\u{202C} é e\u{301}", String(repeating: "long<ä>", count: 1_280),
  ]

  /// Each name at every place of a finding that has words from outside.
  static let report = Report(
    findings: all.enumerated().map { number, name in
      var finding = Samples.finding(.deadlock)
      finding.title = "\(number) \(name)"
      finding.tests = [name]
      finding.reason = name
      finding.facts = [.init(name, frames: [Samples.user(name, name, 3)])]
      finding.objects = [SharedObject(id: LockID(1), kind: .serialQueue, label: name)]
      finding.participants[0].threadName = name
      finding.participants[0].role = name
      finding.participants[0].frames = [Samples.user(name, name, 7)]
      finding.schedule = name
      return finding
    }, run: .init(id: "run"))

  /// What a page can carry of a name: controls become U+FFFD, but for tab and line feed.
  static func inPage(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isControl =
        (scalar.value < 0x20 && scalar != "\n" && scalar != "\t")
        || (0x7F...0x9F).contains(scalar.value)
      result.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }
}
