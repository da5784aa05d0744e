import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting
import ThreadmillScenarios

/// One variant of one scenario, looked at in one way.
package struct Trial: Sendable {
  /// A way of looking at a scenario that verifying knows.
  package enum Mode: String, Sendable, CaseIterable {
    /// The program runs unwatched.
    case plain
    /// One ordinary run under Threadmill.
    case observe
    /// The same with Thread Sanitizer in the build.
    case tsan
    /// The same, with threads that are disturbed by a policy.
    case jitter
    /// Schedules one after the other, until one goes wrong.
    case explore

    /// The mode as the catalogue has it; `nil` for nobody looking.
    package var watching: Scenario.Mode? {
      switch self {
      case .plain: nil
      case .observe: .observe
      case .tsan: .tsan
      case .jitter: .jitter
      case .explore: .explore
      }
    }

    /// Whether the mode always needs a host that was built with Thread Sanitizer.
    package var isSanitized: Bool { self == .tsan || self == .jitter }

    /// Whether the mode draws random choices from a seed.
    var isSeeded: Bool { self == .jitter || self == .explore }
  }

  package let scenario: Scenario
  package let variant: Scenario.Variant
  package let mode: Mode
  package let expectation: Scenario.Expectation

  /// `relock flawed`
  package var name: String { "\(scenario.id) \(variant.rawValue)" }

  /// The kinds that must be found; `nil` if the program is not watched.
  package var verdict: Scenario.Verdict? { verdict(of: expectation) }

  /// The host that it is run in. An exploration finds races with Thread Sanitizer only, and weak
  /// memory with wrapped accesses only.
  package var build: ScenarioHost.Build {
    guard mode == .explore else { return mode.isSanitized ? .sanitized : .plain }
    let expectations = scenario.expectations.values
    if expectations.contains(where: { $0.asks(for: .weak) }) { return .wrapped }
    let kinds = expectations.reduce(into: Set<String>()) { kinds, expectation in
      kinds.formUnion(expectation.verdicts[.explore]?.allowedAtAll ?? [])
    }
    return kinds.contains(FindingKind.dataRace.rawValue) ? .sanitized : .plain
  }

  func verdict(of expectation: Scenario.Expectation) -> Scenario.Verdict? {
    mode.watching.flatMap { expectation.verdicts[$0] }
  }

  /// Whether more may go wrong than without shaking: with a flawed program, a wrong result, or what
  /// its steered twin comes to.
  var mayDoHarm: Bool { mode == .jitter && variant == .flawed && scenario.fault != .silent }

  /// What its steered twin comes to, if that is how it may end as well.
  package var harm: Scenario.Expectation? {
    mayDoHarm ? scenario.expectations[.harmful] : nil
  }

  /// Whether names of functions may have a part in what is found: with anything but data races.
  var isKnownByNames: Bool {
    [expectation, harm].compactMap(\.self).compactMap(verdict).contains {
      !$0.required.union($0.allowed).isSubset(of: [FindingKind.dataRace.rawValue])
    }
  }

  /// Whether the program ends and has nothing to find.
  package var mustStaySilent: Bool {
    guard expectation.outcome == .ends, scenario.fault == .silent || variant == .repaired else {
      return false
    }
    return verdict.map { $0.required.union($0.allowed).isEmpty } ?? true
  }

  /// Every variant of the scenarios in each of the modes, in the order of the catalogue.
  package static func all(_ scenarios: [Scenario] = Scenario.all, in modes: [Mode]) -> [Trial] {
    scenarios.flatMap { scenario in
      scenario.variants.flatMap { all(scenario, $0, in: modes) }
    }
  }

  private static func all(
    _ scenario: Scenario, _ variant: Scenario.Variant, in modes: [Mode]
  ) -> [Trial] {
    guard let expectation = scenario.expectations[variant] else { return [] }
    return modes.filter { $0 != .explore || expectation.verdicts[.explore] != nil }.map {
      Trial(scenario: scenario, variant: variant, mode: $0, expectation: expectation)
    }
  }
}

extension Scenario {
  /// Whether this process may use the processors that it needs to go wrong.
  package var isPossibleHere: Bool { processors <= MachineFacts.Processors.current.usable }
}

extension Scenario.Expectation {
  fileprivate func asks(for memory: Options.Memory) -> Bool {
    (try? Options(parsing: options))?.memory == memory
  }
}

extension Trial {
  /// Runs the program once, to its end or until what it must lead to is seen.
  ///
  /// - Parameter host: built as the mode wants it, or with Thread Sanitizer for `plain`.
  /// - Parameter detector: the kind of findings that is not looked for; `nil` for none.
  /// - Parameter options: more of `THREADMILL_OPTIONS` than the scenario asks for.
  /// - Parameter shaking: how its threads are disturbed; `nil` for not at all.
  /// - Parameter namesFrames: whether functions and lines are looked up, which takes its time.
  /// - Parameter times: how often the process does what the program does.
  package func run(
    in host: ScenarioHost, without detector: String? = nil, options more: String = "",
    shaking: Shaking? = nil, namesFrames: Bool = true, times: Int = 1
  ) async throws -> Sighting {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    if mode == .explore {
      return try await explore(in: host, without: detector, seed: shaking?.seed, report: file)
    }
    let options = [
      mode == .plain ? "detect=false" : "", detector.map { "without=\($0)" } ?? "",
      expectation.options, more, shaking?.options ?? "", namesFrames ? "" : "symbols=false",
      "report=\"\(file.path)\"",
    ].filter { !$0.isEmpty }.joined(separator: " ")
    var child = host.child(
      scenario.id, variant, times: times, options: options, reportsRaces: mode != .plain)
    // Races that nobody takes from it the sanitizer tells itself, and by its own exit status, which
    // would pass for the program's. A trap that it has caught has no other status.
    if detector == FindingKind.dataRace.rawValue, expectation.outcome != .traps {
      child.environment["TSAN_OPTIONS", default: ""] += " exitcode=0"
    }
    let result = try await child.run(stop: stop(without: detector, report: file))
    return Sighting(
      ending: result.outcome, kinds: Self.kinds(in: file), complaint: result.standardError,
      shaking: shaking, accusations: namesFrames ? Self.accusations(in: file) : nil)
  }

  /// What ends a run that would hang: the report of what is required; where none can come, the hang
  /// itself.
  private func stop(without detector: String?, report file: URL) -> ChildProcess.Stop {
    guard let hanging = [expectation, harm].compactMap(\.self).first(where: \.outcome.canHang)
    else { return .never }
    let required = verdict(of: hanging)?.required ?? []
    guard hanging.outcome == .hangs, !required.isEmpty, !required.contains(detector ?? "") else {
      return mode == .plain ? .whenQuiet : .quiet(for: patience)
    }
    return .when { Self.kinds(in: file)?.isSuperset(of: required) ?? false }
  }

  /// Seconds of standstill in which whoever looks for hangs would have told of one.
  private var patience: TimeInterval {
    let hang = (try? Options(parsing: expectation.options))?.hang ?? 0
    return 0.5 + (hang > 0 ? TimeInterval(hang) + 2 : 0) + (mode == .jitter ? Shaking.lull : 0)
  }

  /// The accusations of the report; `nil` if there is none, or if it is not yet whole.
  static func kinds(in file: URL) -> Set<String>? {
    accusations(in: file).map { Set($0.map(\.kind.rawValue)) }
  }

  static func accusations(in file: URL) -> [Finding]? {
    report(in: file).map { $0.findings.filter(\.accuses) }
  }

  /// `nil` for one that is not there, or not yet whole.
  static func report(in file: URL) -> Report? {
    (try? Data(contentsOf: file)).flatMap { try? JSONReport.report(from: Array($0)) }
  }
}
