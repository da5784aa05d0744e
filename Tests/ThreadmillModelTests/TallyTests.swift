import Testing
import ThreadmillModel

@Suite struct TallyTests {
  private static let cycle = Tally.Sight(key: "a", title: "Lock order cycle")
  private static let race = Tally.Sight(key: "b", title: "Data race")

  private func run(_ number: Int) -> Tally.Run {
    Tally.Run(number: number, policy: .heavy, seed: Seed(rawValue: UInt64(number) * 10))
  }

  @Test func eachSightCountsOnceInARun() {
    var tally = Tally()
    #expect(tally.add(run(1), showing: []) == [])
    let new = tally.add(run(2), showing: [Self.race, Self.race, Self.cycle])
    #expect(new == [Self.race, Self.cycle])
    #expect(tally.add(run(3), showing: [Self.cycle]) == [])
    #expect(tally.runs == 3)
    #expect(tally.entries.map(\.sight) == [Self.race, Self.cycle])
    #expect(tally.entries.map(\.count) == [1, 2])
    #expect(tally.entries.map(\.first) == [run(2), run(2)])
    #expect(
      tally.interval(of: tally.entries[1]) == WilsonInterval(successes: 2, of: 3))
  }

  /// A title may name instances, which differ from run to run.
  @Test func theKeyTellsThemApart() {
    var tally = Tally()
    tally.add(run(1), showing: [Tally.Sight(key: "a", title: "L1 and L2")])
    #expect(tally.add(run(2), showing: [Tally.Sight(key: "a", title: "L3 and L4")]) == [])
    #expect(tally.entries.map(\.sight.title) == ["L1 and L2"])
    #expect(tally.entries.map(\.count) == [2])
  }

  @Test func aFindingIsKnownByItsFingerprint() {
    let finding = Finding(kind: .deadlock, status: .observed, title: "Deadlock of L1")
    #expect(finding.sight == Tally.Sight(key: finding.fingerprint, title: "Deadlock of L1"))
  }
}

@Suite struct OptionsTextTests {
  @Test(arguments: [
    "", "jitter=heavy", "detect=false report=a.json seed=18446744073709551615 until=end",
    #"report="my \"own\" \\ report.json""#, "hang=0 repeat=5 time=60 without=crash,hang",
  ])
  func itLeadsBackToTheOptions(text: String) throws {
    let options = try Options(parsing: text)
    #expect(try Options(parsing: options.text) == options)
  }

  /// Whatever a path may consist of.
  @Test func everyCharacterSurvives() throws {
    for scalar in (1...0x17F).compactMap(Unicode.Scalar.init) {
      var options = Options()
      options.report = "a\(scalar)\u{301}\(scalar)b"
      #expect(try Options(parsing: options.text) == options, "\(scalar.value)")
    }
  }

  @Test func onlyWhatDiffersIsSaid() throws {
    #expect(Options().text == "")
    var options = Options()
    options.hang = 5
    options.report = "a b"
    #expect(options.text == #"hang=5 report="a b""#)
  }
}
