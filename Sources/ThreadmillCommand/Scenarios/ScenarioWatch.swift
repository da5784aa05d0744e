import Foundation
import ThreadmillChildren
import ThreadmillScenarios

/// Runs one variant for somebody who looks on.
struct ScenarioWatch {
  /// Seconds that a program is seen to hang for before it is stopped.
  private static let patience = 3.0

  /// Whether this process, and so the host beside it, was built with Thread Sanitizer.
  private static let isSanitized = dlsym(nil, "__tsan_init") != nil

  /// Whether it needs a build with Thread Sanitizer, because nothing else finds the bug.
  static func wantsSanitizer(_ scenario: Scenario) -> Bool {
    func isFound(in mode: Scenario.Mode) -> Bool {
      scenario.expectations.values.contains { !($0.verdicts[mode]?.required.isEmpty ?? true) }
    }
    return isSanitized || (isFound(in: .tsan) && !isFound(in: .observe))
  }

  let host: ScenarioHost

  /// - Parameter listener: gets what the program and Threadmill say, as they say it.
  func run(
    _ scenario: Scenario, _ variant: Scenario.Variant,
    hearing listener: @escaping @Sendable (String) -> Void
  ) async throws -> WatchedRun {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    let file = folder.file("report.json")
    let expectation = scenario.expectations[variant]
    let options = [expectation?.options ?? "", "report=\"\(file.path)\""]
    let child = host.child(
      scenario.id, variant, options: options.filter { !$0.isEmpty }.joined(separator: " "))
    let start = Date()
    let result = try await child.run(stop: stop(expectation, start, file), hearing: listener)
    return WatchedRun(
      ending: result.outcome, seconds: Int(Date().timeIntervalSince(start)),
      kinds: Trial.kinds(in: file) ?? [],
      blindness: expectation.flatMap { WatchedRun.Blindness($0, mode) })
  }

  private var mode: Scenario.Mode { host.isSanitized ? .tsan : .observe }

  /// The time after which a program that may hang is ended. A hang is found earlier.
  private func stop(
    _ expectation: Scenario.Expectation?, _ start: Date, _ file: URL
  ) -> ChildProcess.Stop {
    guard let expectation, expectation.outcome.canHang else { return .never }
    let required = expectation.verdicts[mode]?.required ?? []
    return .when {
      Date().timeIntervalSince(start) >= Self.patience
        && required.isSubset(of: Trial.kinds(in: file) ?? [])
    }
  }
}

/// The result of a variant's process under watch.
package struct WatchedRun: Hashable, Sendable {
  package let ending: ChildProcess.Outcome
  /// How long it was there.
  package let seconds: Int
  /// The kinds of the findings that accuse the program.
  package let kinds: Set<String>
  /// Whether it is known that such a run does not see this bug.
  package let blindness: Blindness?

  /// What does not see a bug.
  package enum Blindness: Hashable, Sendable {
    /// Any run.
    case always
    /// A single run; an exploration sees it.
    case unlessExplored

    init?(_ expectation: Scenario.Expectation, _ mode: Scenario.Mode) {
      guard expectation.verdicts[mode] == .missed else { return nil }
      let isExplored = expectation.verdicts[.explore]?.required.isEmpty == false
      self = isExplored ? .unlessExplored : .always
    }
  }

  package init(
    ending: ChildProcess.Outcome, seconds: Int = 0, kinds: Set<String>, blindness: Blindness? = nil
  ) {
    self.ending = ending
    self.seconds = seconds
    self.kinds = kinds
    self.blindness = blindness
  }

  /// How the process ended, and what was found, in two sentences.
  package var sentences: String { "\(became) \(found)" }

  private var became: String {
    switch ending {
    case .exited(0): "It came to its end."
    case .exited(Scenario.wrongResultStatus): "It came to its end, with a wrong result."
    case .exited(let status) where kinds.isEmpty: "It ended with status \(status)."
    case .exited(let status): "It ended with status \(status), for what was found."
    case .signalled(let signal): "It was killed by \(Self.name(of: signal))."
    case .stopped, .timedOut: "It hung, and was stopped after \(seconds) s."
    }
  }

  private var found: String {
    if !kinds.isEmpty { return "Threadmill found: \(kinds.sorted().joined(separator: ", "))." }
    return switch blindness {
    case nil: "Threadmill found nothing."
    case .always: "Threadmill found nothing: this is a known blind spot."
    case .unlessExplored: "Threadmill found nothing in this one run: an exploration finds it."
    }
  }

  private static func name(of signal: Int32) -> String {
    let names: [Int32: String] = [
      SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL",
      SIGSEGV: "SIGSEGV", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP",
    ]
    return names[signal].map { "signal \(signal) (\($0))" } ?? "signal \(signal)"
  }
}
