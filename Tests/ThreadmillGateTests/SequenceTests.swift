import CThreadmillSequenceModel
import Testing

/// The sequence lock under which threads look at what others hold, in every execution that a weakly
/// ordered machine allows.
@Suite struct SequenceTests {
  private static let scenarios = (0..<SEQUENCE_SCENARIOS.rawValue).map { sequence_scenario($0) }

  @Test(arguments: scenarios.map(\.rawValue)) func noLookIsTorn(scenario: UInt32) {
    let result = sequence_run(sequence_scenario(scenario), SEQUENCE_SOUND)
    #expect(result.executions > 10_000)
    #expect(result.whole > 0)
    #expect(result.torn == 0)
  }

  /// Each part of the protocol is needed: without it, some look is taken for whole and is not.
  @Test(arguments: 1..<SEQUENCE_FLAWS.rawValue) func eachPartIsNeeded(flaw: UInt32) {
    let results = Self.scenarios.map { sequence_run($0, sequence_flaw(flaw)) }
    #expect(results.contains { $0.torn > 0 }, "\(results)")
  }
}
