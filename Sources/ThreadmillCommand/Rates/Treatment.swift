import ThreadmillModel

/// How a program under Thread Sanitizer is treated while it is seen whether its flaw is found.
package enum Treatment: Hashable, Sendable {
  /// Not at all, and the sanitizer compares threads, as it does without Threadmill.
  case threads
  /// Not at all.
  case plain
  /// Every core has something else to do as well.
  case load
  /// Its threads are disturbed.
  case jitter(JitterPolicy)

  package static let all: [Treatment] =
    [.threads, .plain, .load] + JitterPolicy.allCases.filter { $0 != .off }.map(jitter)

  /// The treatment with this name; `nil` if there is none.
  package init?(named name: String) {
    guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  package var name: String {
    switch self {
    case .threads: "threads"
    case .plain: "plain"
    case .load: "load"
    case .jitter(let policy): policy.rawValue
    }
  }

  /// What it adds to the options of the program.
  var options: String { self == .threads ? "strands=false" : "" }

  /// The mode of verifying that looks in the same way.
  var mode: Trial.Mode { if case .jitter = self { .jitter } else { .tsan } }
}
