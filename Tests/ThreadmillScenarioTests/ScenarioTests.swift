import Testing
import ThreadmillCommand
import ThreadmillScenarios
import ThreadmillTestSupport

/// Every variant of every scenario in a process of its own, watched and not, judged as by
/// `threadmill scenarios verify`.
@Suite struct ScenarioTests {
  /// What one run says, against the verdict: nothing missing, nothing on top.
  @Test(arguments: Trial.possible(in: .current)) func observing(_ trial: Trial) async throws {
    try await expectNothingWrong(with: trial)
  }

  /// The harm is real: with every detector switched off it happens, and nobody says so.
  @Test(arguments: Trial.possible(in: .plain))
  func withoutDetectors(_ trial: Trial) async throws {
    try await expectNothingWrong(with: trial)
  }

  @Test(
    .enabled(
      if: hasSeveralProcessors, "some scenarios cannot go wrong on one processor, and are left out")
  )
  func everyScenarioIsRun() {
    #expect(Scenario.all.filter { !$0.isPossibleHere }.map(\.id) == [])
  }

  private func expectNothingWrong(with trial: Trial) async throws {
    let seen = try await Host.see(trial)
    let problem = trial.problem(seen, isSanitized: isThreadSanitized)
    #expect(problem == nil, "\(seen.complaint)")
  }
}

/// Each kind of findings comes from a detector of its own: switched off, it takes its rows with it.
@Suite struct MutationTests {
  /// The kinds that some row requires; under Thread Sanitizer those that it adds, since the others
  /// come from the same detectors in both builds.
  static let kinds: [String] = {
    let required = { (mode: Trial.Mode) in
      Trial.all(in: [mode]).reduce(into: Set<String>()) { $0.formUnion($1.verdict?.required ?? []) }
    }
    return
      (isThreadSanitized ? required(.tsan).subtracting(required(.observe)) : required(.observe))
      .sorted()
  }()

  /// Rows that require the kind turn red, and no others: those that allow it, and some of the rest.
  @Test(arguments: kinds) func itsRowsTurnRed(_ kind: String) async throws {
    let all = Trial.possible(in: .current)
    let concerned = all.filter { $0.expects(kind) }
    let others = all.filter { !$0.expects(kind) }
    let start = try #require(Self.kinds.firstIndex(of: kind))
    let sample = stride(from: start, to: others.count, by: max(1, others.count / 3))
    let trials = concerned + sample.map { others[$0] }

    let host = try Host.program
    let verifier = Verifier(
      hosts: [host.build: host], without: kind, slots: .children)
    let verification = try await verifier.verify(trials)
    let red = verification.wrong.map(\.trial.name)
    let requiring = trials.filter { $0.verdict?.required.contains(kind) ?? false }
    #expect(red == requiring.map(\.name))
    #expect(!requiring.isEmpty)
    #expect(!verification.rows.contains { $0.seen.contains(kind) })
  }
}

extension Trial {
  fileprivate static func possible(in mode: Mode) -> [Trial] {
    all(in: [mode]).filter(\.scenario.isPossibleHere)
  }

  fileprivate func expects(_ kind: String) -> Bool {
    verdict.map { $0.required.union($0.allowed).contains(kind) } ?? false
  }
}
