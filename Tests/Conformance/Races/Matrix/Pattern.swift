import Foundation

/// One row of the matrix: a way of synchronising that Foundation, Dispatch, Synchronization, POSIX
/// or Swift concurrency offers, with its protection and without.
struct Pattern: Sendable {
  enum Body: Sendable {
    /// Runs on a thread of its own, so that no thread of a pool waits for the end of the trial.
    case threads(@Sendable (Trial) -> Void)
    case tasks(@Sendable (Trial) async -> Void)
  }

  let id: String
  /// The calls that it is about.
  let uses: String
  let variants: [Variant]
  let body: Body
  var need = Need.nothing

  /// What the row needs so that its correct variant is silent and does what it says.
  enum Need: String, Sendable {
    /// Thread Sanitizer alone gets it right; at least, nothing else has been seen.
    case nothing
    /// The gate: Thread Sanitizer alone gets it wrong, at the latest in 50 trials.
    case gate
    /// The same, but only where the two sides meet badly, which is up to chance.
    case gateAtTimes
    /// More than the gate can do: a known limit.
    case more
  }

  func needing(_ need: Need) -> Pattern {
    var pattern = self
    pattern.need = need
    return pattern
  }

  static func threads(
    _ id: String, _ uses: String, _ variants: [Variant] = [.correct, .half],
    _ body: @escaping @Sendable (Trial) -> Void
  ) -> Pattern {
    Pattern(id: id, uses: uses, variants: variants, body: .threads(body))
  }

  static func tasks(
    _ id: String, _ uses: String, _ variants: [Variant] = [.correct, .half],
    _ body: @escaping @Sendable (Trial) async -> Void
  ) -> Pattern {
    Pattern(id: id, uses: uses, variants: variants, body: .tasks(body))
  }

  @MainActor func run(_ trial: Trial) async {
    switch body {
    case .tasks(let body): await body(trial)
    case .threads(let body):
      let over = Flag()
      Thread.detachNewThread {
        body(trial)
        over.raise()
      }
      // The main queue goes on, and the main thread learns nothing of what the others did.
      while !over.isRaised {
        usleep(100)
        await Task.yield()
      }
    }
  }
}

/// Every row.
let patterns: [Pattern] =
  posixPatterns + atomicPatterns + foundationLockPatterns + foundationPatterns
  + queuePatterns + barrierPatterns + dispatchPatterns + workItemPatterns + operationPatterns
  + taskPatterns + actorPatterns + continuationPatterns + streamPatterns
