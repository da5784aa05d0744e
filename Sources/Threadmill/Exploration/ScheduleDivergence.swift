import ThreadmillModel

/// The difference between a schedule and the run that was to follow it.
public struct ScheduleDivergence: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a difference.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    /// The program made another step, or could not make the expected one.
    case otherStep
    /// The schedule is at its end, and the program goes on.
    case wentOn
    /// The program is at its end, and the schedule is not.
    case endedEarly
    /// All steps were the same, and the program failed in another way.
    case otherFailure
    /// All steps were the same, and the program did not fail.
    case noFailure
  }

  /// The kind of the difference.
  public let kind: Kind
  /// The first step that differs, from 1; `nil` if all steps were the same. In long schedules, a
  /// few steps before it may differ already.
  public let step: Int?
  /// The difference in one line.
  public let description: String

  init(_ divergence: Divergence) {
    kind =
      switch divergence.kind {
      case .strandNotReady, .otherOperation: .otherStep
      case .wentOn: .wentOn
      case .endedEarly: .endedEarly
      }
    step = divergence.steps.lowerBound + 1
    description = "\(divergence)"
  }

  /// All steps were the same, and the end was not.
  ///
  /// - Parameter failure: what went wrong in the second run; `nil` if nothing did.
  init(endedWith failure: String?) {
    kind = failure == nil ? .noFailure : .otherFailure
    step = nil
    description = failure.map { "it failed in another way: \($0)" } ?? "it did not fail"
  }
}
