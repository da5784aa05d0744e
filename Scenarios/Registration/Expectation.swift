extension Scenario {
  /// What one variant does by itself, and what each mode of checking must say about it.
  package struct Expectation: Sendable, Hashable {
    package let outcome: Outcome
    package let verdicts: [Mode: Verdict]
    /// What a checker has to be told to see it in a short run, such as its patience.
    package let options: String

    /// What is silent in one mode is correct, and so it is silent in all of them.
    ///
    /// - Parameters:
    ///   - tsan: the same as in `observe`, if it is not given.
    ///   - jitter: the same as in `tsan`, if more is not demanded of a shaken schedule.
    ///   - explore: where the catalogue demands it.
    ///   - isExplorable: not where the main thread's run loop has a part, which nobody controls.
    package init(
      _ outcome: Outcome, observe: Verdict, tsan: Verdict? = nil, jitter: Verdict? = nil,
      explore: Verdict? = nil, isExplorable: Bool = true, options: String = ""
    ) {
      self.outcome = outcome
      self.options = options
      var verdicts: [Mode: Verdict] = [.observe: observe, .tsan: tsan ?? observe]
      verdicts[.jitter] = jitter ?? tsan ?? observe
      verdicts[.explore] = explore ?? (observe == .silent && isExplorable ? .silent : nil)
      self.verdicts = verdicts
    }
  }

  /// What becomes of the process when nobody interferes.
  package enum Outcome: String, Sendable {
    /// It comes to its end, with status 0.
    case ends
    /// The same, but what is urgent comes late; findings are warnings and leave the status alone.
    case delays
    /// It comes to its end with a wrong result, and says so by ``Scenario/wrongResultStatus``.
    case errs
    /// It comes to its end, with a right or a wrong result, as chance has it.
    case mayErr
    /// It never ends.
    case hangs
    /// It comes to its end, or never, as chance has it.
    case mayHang
    /// It is killed by a signal.
    case traps

    /// Whether something goes wrong in every run.
    package var isHarm: Bool {
      switch self {
      case .ends, .mayErr, .mayHang: false
      case .delays, .errs, .hangs, .traps: true
      }
    }

    /// Whether a run may have to be stopped.
    package var canHang: Bool { self == .hangs || self == .mayHang }
  }

  /// The status of a program that notices that its result is wrong.
  package static let wrongResultStatus: Int32 = 64

  /// A way of looking at a running program.
  package enum Mode: String, Sendable, CaseIterable {
    /// One ordinary run.
    case observe
    /// The same with Thread Sanitizer in the build.
    case tsan
    /// The same, with a schedule that is shaken.
    case jitter = "tsan+jitter"
    /// Every schedule that matters, one after the other.
    case explore

    /// Those in which Threadmill looks at every scenario; schedules are explored where the
    /// catalogue asks for it, and of what is correct.
    package static let general: [Mode] = [.observe, .tsan, .jitter]
  }

  /// What a mode has to say; kinds of findings are named as in reports.
  package enum Verdict: Sendable, Hashable {
    /// Nothing at all, and rightly so.
    case silent
    /// Nothing, although something is wrong: a known blind spot of the mode.
    case missed
    /// These kinds or none, as chance has it, and no other: at least in this share of the runs.
    case perhaps(Set<String>, rate: Double)
    /// Each kind in `required`, perhaps some in `allowed`, and no other.
    case finds(required: Set<String>, allowed: Set<String>)

    package static func finds(_ required: String..., allowing allowed: String...) -> Verdict {
      .finds(required: Set(required), allowed: Set(allowed))
    }

    package static func perhaps(_ allowed: String..., rate: Double = 0) -> Verdict {
      .perhaps(Set(allowed), rate: rate)
    }

    package var required: Set<String> {
      switch self {
      case .silent, .missed, .perhaps: []
      case .finds(let required, _): required
      }
    }

    package var allowed: Set<String> {
      switch self {
      case .silent, .missed: []
      case .perhaps(let allowed, _), .finds(_, let allowed): allowed
      }
    }

    /// All that may be found.
    package var allowedAtAll: Set<String> { required.union(allowed) }

    /// Whether these kinds are what was asked for, with nothing missing and nothing on top.
    package func agrees(with kinds: Set<String>) -> Bool {
      required.isSubset(of: kinds) && kinds.isSubset(of: required.union(allowed))
    }
  }
}
