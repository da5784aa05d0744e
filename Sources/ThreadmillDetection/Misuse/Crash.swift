import ThreadmillModel

/// Threads that die of a signal.
///
/// The names of the innermost functions tell the cause, so that `withCause` adds it to the finding
/// after these names have been looked up.
package struct Crash: Sendable {
  /// The innermost frames of each thread in the last finding about it.
  private var named: [ThreadID: Set<Frame>] = [:]

  /// Remembers the innermost frames of a finding: its threads may die of it.
  mutating func found(_ finding: Finding) {
    guard finding.status == .observed else { return }
    for (thread, parts) in Dictionary(grouping: finding.participants, by: \.thread) {
      named[thread] = Set(parts.compactMap(\.frames.first))
    }
  }

  /// Returns the finding about a crash; `nil` if the thread dies in the call that a finding has
  /// just named.
  func died(_ event: Happening.Crashed) -> Finding? {
    let thread = event.thread
    if let places = named[thread.thread], thread.stack.contains(where: places.contains) {
      return nil
    }
    let signal = Self.words(for: event.signal)
    return Finding(
      kind: .crash, status: .observed, severity: .error, title: "Crash: \(signal)",
      participants: [thread.participant(role: "dies of \(signal)")],
      tests: thread.tests)
  }

  /// Returns the finding, with the cause in its title if one of its functions tells it.
  package static func withCause(_ finding: Finding) -> Finding {
    guard finding.kind == .crash, let stack = finding.participants.first?.frames else {
      return finding
    }
    let functions = stack.prefix { $0.isSystem }.compactMap(\.function)
    let cause = functions.lazy.compactMap { function in
      causes.first { function.contains($0.function) }?.clause
    }.first
    guard let cause else { return finding }
    var named = finding
    named.title = "Crash: \(cause)"
    return named
  }

  /// The words for a signal that ends a program.
  package static func words(for signal: Int32) -> String {
    signals[signal] ?? "signal \(signal)"
  }

  /// The words for each signal. Its number is equal on every machine that Threadmill supports.
  private static let signals: [Int32: String] = [
    4: "an illegal instruction (SIGILL)", 5: "a trap (SIGTRAP)", 6: "an abort (SIGABRT)",
    7: "a bus error (SIGBUS)", 8: "an arithmetic error (SIGFPE)",
    11: "an invalid memory access (SIGSEGV)",
  ]

  /// The causes of death by the runtime function that is then on the stack, the most telling first.
  private static let causes: [(function: String, clause: String)] = [
    ("swift_abortRetainUnowned", "an unowned reference was used after its object was gone"),
    ("swift_abortRetainOverflow", "an object was retained too often"),
    ("swift_abortDynamicReplacement", "a dynamic replacement was not possible"),
    ("swift_dynamicCastFailure", "a value was cast to a type that it is not of"),
    ("swift_beginAccess", "two accesses to the same variable overlapped"),
    ("_assertionFailure", "an assertion, precondition or fatalError failed"),
    ("_dispatch_semaphore_dispose", "a semaphore was released while in use"),
    ("_dispatch_group_leave", "a group was left more often than it was entered"),
    ("swift_unownedRetain", "an unowned reference was used after its object was gone"),
    ("swift_unownedCheck", "an unowned reference was used after its object was gone"),
  ]
}
