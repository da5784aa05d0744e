import Testing
import ThreadmillModel

/// All there are.
private let names =
  "baseline, brief, confirm, continue, cores, detect, graph, hang, inversionlimit, jitter, "
  + "jitterbudget, mainlimit, memory, mode, nearmisses, pool, profile, repeat, report, schedule, "
  + "schedules, seed, singlethreaded, strands, strategy, suppressions, symbols, time, towards, "
  + "trace, until, without"

private let policies = "off, light, heavy, starve, priority, near-miss, portfolio"

@Suite struct OptionsTests {
  @Test func nothingGivenMeansTheDefaults() throws {
    let options = try Options(parsing: " \t\n ")
    #expect(options == Options())
    #expect(options.report == nil)
    #expect(!options.continuesReentries)
    #expect(options.jitter == .off)
    #expect(options.detects)
    #expect(!options.profiles)
    #expect(options.symbolicates)
    #expect(options.hang == nil)
    #expect(options.hangSeconds == 30)
    #expect(options.looksForHangs)
  }

  @Test(arguments: ["hang=0", "detect=false", "without=hang"])
  func nobodyLooksForHangs(text: String) throws {
    #expect(try !Options(parsing: text).looksForHangs)
  }

  @Test func everyOptionReachesItsField() throws {
    let text =
      "report=out.json continue=true jitter=near-miss detect=false symbols=false "
      + "without=hang,crash hang=5 graph=true profile=true repeat=3 time=4 trace=true until=end "
      + "seed=18446744073709551615 jitterbudget=5 nearmisses=near.json "
      + "baseline=base.txt suppressions=quiet.txt"
    let options = try Options(parsing: text)
    #expect(options.report == "out.json")
    #expect(options.baseline == "base.txt" && options.suppressions == "quiet.txt")
    #expect(options.continuesReentries)
    #expect(options.jitter == .nearMiss)
    #expect(options.seed == Seed(rawValue: .max))
    #expect(options.jitterBudget == 5)
    #expect(options.nearMisses == "near.json")
    #expect(!options.detects)
    #expect(!options.symbolicates)
    #expect(options.without == [.hang, .crash])
    #expect(options.hang == 5)
    #expect(options.drawsLocks)
    #expect(options.profiles)
    #expect(options.records)
    #expect(options.repetitions == 3)
    #expect(options.time == 4)
    #expect(options.until == .end)
  }

  @Test(arguments: [
    (#"report="my report.json""#, "my report.json"),
    (#"report=my" "report.json"#, "my report.json"),
    (#"report="a\"b\\c\d""#, #"a"b\c\d"#),
    (#"report=a\b=c"#, #"a\b=c"#),
    ("\n report=é🧵.json\t", "é🧵.json"),
  ])
  func quotesKeepSpaces(text: String, path: String) throws {
    #expect(try Options(parsing: text).report == path)
  }

  @Test func whatIsNotGivenKeepsItsValue() throws {
    let first = try Options(parsing: "report=a continue=true")
    let second = try Options(parsing: "report=b", over: first)
    #expect(second.report == "b")
    #expect(second.continuesReentries)
  }

  /// The whole wording, since it is what a user sees, and all that he sees.
  @Test(arguments: [
    ("jitter=purple", "THREADMILL_OPTIONS: jitter=purple is not valid; allowed: \(policies)"),
    ("detect=", #"THREADMILL_OPTIONS: detect="" is not valid; allowed: true, false"#),
    ("detect=TRUE", "THREADMILL_OPTIONS: detect=TRUE is not valid; allowed: true, false"),
    ("report=", #"THREADMILL_OPTIONS: report="" is not valid; allowed: a path"#),
    (
      #"jitter="a\#u{1B}[1m b""#,
      #"THREADMILL_OPTIONS: jitter="a\u{1B}[1m b" is not valid; allowed: \#(policies)"#
    ),
    (
      "reprot=out.json",
      "THREADMILL_OPTIONS: reprot=out.json is not known; nearest: report; "
        + "allowed: \(names)"
    ),
    (
      "symbol",
      "THREADMILL_OPTIONS: symbol is not known; nearest: symbols; "
        + "allowed: \(names)"
    ),
    (
      "continue",
      "THREADMILL_OPTIONS: continue has no value; allowed: continue= and one of true, false"
    ),
    (
      "detect=true detect=true",
      "THREADMILL_OPTIONS: detect=true is one too many; allowed: detect once"
    ),
    (
      #"report="a b"#,
      "THREADMILL_OPTIONS: report has a value whose quote is not closed; allowed: \"…\""
    ),
  ])
  func aMistakeNamesKeyValueAndWhatIsAllowed(text: String, message: String) {
    let error = #expect(throws: InvalidOptions.self) { try Options(parsing: text) }
    #expect(error?.description == message)
  }

  @Test func everyMistakeIsReportedInItsOrder() {
    let error = #expect(throws: InvalidOptions.self) {
      try Options(parsing: "jitter=purple report=x detect=maybe colour=red", from: "--options")
    }
    #expect(
      error
        == InvalidOptions(
          source: "--options",
          errors: [
            .badValue(
              name: "jitter", value: "purple", allowed: JitterPolicy.allCases.map(\.rawValue)),
            .badValue(name: "detect", value: "maybe", allowed: ["true", "false"]),
            .unknownName("colour", value: "red", nearest: "confirm"),
          ]))
    #expect(error?.description.split(separator: "\n").count == 3)
  }

  @Test func aCommaBetweenOptionsIsNamed() {
    let error = #expect(throws: InvalidOptions.self) {
      try Options(parsing: "memory=weak,schedules=9")
    }
    let words = "memory=weak,schedules=9 is not valid; allowed: strong, weak"
    #expect(error?.description.contains("\(words); a space, and no comma, separates") == true)
    let other = #expect(throws: InvalidOptions.self) { try Options(parsing: "memory=weak,strong") }
    #expect(other?.description.hasSuffix("allowed: strong, weak") == true)
  }

  /// Against arithmetic, not against another implementation.
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("flaw", "lawn", 2),
    ("reprot", "report", 1), ("ca", "abc", 3),
  ])
  func editDistance(a: String, b: String, distance: Int) {
    #expect(Options.editDistance(a, b) == distance)
    #expect(Options.editDistance(b, a) == distance)
  }
}

/// The table, the parser, the fields and the help tell the same story.
@Suite struct OptionsTableTests {
  @Test func namesAreSortedAndUnique() {
    let names = Options.table.map(\.name)
    #expect(names == Set(names).sorted())
  }

  @Test func everyFieldHasItsEntry() {
    #expect(Mirror(reflecting: Options()).children.count == Options.table.count)
  }

  @Test func theParserTakesExactlyWhatIsAllowed() throws {
    for entry in Options.table {
      for value in values(of: entry) {
        let options = try Options(parsing: "\(entry.name)=\(value)")
        #expect(entry.read(options) == value)
      }
      if entry.allowed != ["a path"] {
        #expect(throws: InvalidOptions.self) { try Options(parsing: "\(entry.name)=purple") }
      }
    }
  }

  private static let schedule = Schedule(
    turns: [.init(strand: 0, length: 1)], steps: [Offer(strand: 0, .begin)])

  /// What may be written; of numbers, the least and the greatest.
  private func values(of entry: Options.Entry) -> [String] {
    guard entry.allowed.count == 1, let description = entry.allowed.first else {
      return entry.allowed
    }
    let bounds = description.split(separator: " ").compactMap { UInt64($0) }
    if bounds.count == 2 { return bounds.map(String.init) }
    return switch description {
    case "a path": ["x.json"]
    case "a schedule, which begins with tm1: to tm4:": [Self.schedule.description]
    case let text where text.contains("FILE:LINE"): ["bank.c:12", "bank.c:12,Sources/shop.swift:7"]
    default: entry.allowed
    }
  }

  @Test func theHelpShowsEveryEntryAndNothingElse() {
    var lines = Options.help.split(separator: "\n").map(String.init)
    #expect(lines.removeFirst().hasPrefix("THREADMILL_OPTIONS: "))
    let expected = Options.table.flatMap { entry in
      let fallback = entry.fallback ?? "none"
      return [
        "  \(entry.name)=\(entry.placeholder) (default: \(fallback))", "      \(entry.sentence)",
      ]
    }
    #expect(lines == expected)
  }

  @Test func everySentenceIsOneSentence() {
    for entry in Options.table {
      #expect(entry.sentence.hasSuffix("."))
      #expect(entry.sentence.count <= 150)
      #expect(entry.sentence.count { $0 == "." } == 1)
    }
  }

  @Test func theDefaultsAreDocumentedAsTheyAre() {
    let defaults = Options.table.map { "\($0.name)=\($0.fallback ?? "none")" }
    #expect(
      defaults == [
        "baseline=none", "brief=false", "confirm=false", "continue=false", "cores=0",
        "detect=true", "graph=false", "hang=none", "inversionlimit=1", "jitter=off",
        "jitterbudget=75",
        "mainlimit=250", "memory=strong", "mode=observe", "nearmisses=none", "pool=0",
        "profile=false", "repeat=none", "report=none", "schedule=none", "schedules=1000",
        "seed=none", "singlethreaded=false", "strands=true", "strategy=portfolio",
        "suppressions=none", "symbols=true", "time=none", "towards=none", "trace=false",
        "until=failure", "without=none",
      ])
  }
}
