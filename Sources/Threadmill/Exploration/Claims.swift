#if os(Linux)
  import ThreadmillModel

  /// What a body has claimed of the rest of its schedule. Used by the flow that has the turn, and
  /// between the runs by the explorer.
  struct Claims {
    struct Claim: Sendable {
      enum Kind: Sendable {
        case always
        case eventually(steps: Int)
      }

      let kind: Kind
      let name: String
      let file: String
      let line: Int
      let condition: @Sendable () -> Bool

      fileprivate func failure(_ words: String) -> FailedExpectation {
        let call =
          switch kind {
          case .always: "always"
          case .eventually: "eventually"
          }
        let title = name == call ? call : "\(call) \"\(name)\""
        return FailedExpectation("\(title): \(words)", file: file, line: line)
      }
    }

    /// Those that are neither broken nor fulfilled.
    private var open: [(claim: Claim, heat: Int)] = []
    private var failures: [FailedExpectation] = []
    /// The step at which each strand was chosen last, while turns are taken.
    private var lastTurns: [UInt32: Int] = [:]
    /// Whether a condition did not become true in as many steps as it may take.
    private(set) var isTooHot = false

    mutating func add(_ claim: Claim) { open.append((claim, 0)) }

    mutating func takeFailures() -> [FailedExpectation] {
      defer { failures = [] }
      return failures
    }

    /// When turns are taken.
    enum Guidance: Equatable {
      /// Not at all: a schedule is followed.
      case never
      /// When half of the steps have been made.
      case late
      /// After so many steps: a livelock needs threads in step with each other from its beginning.
      case after(steps: Int)

      /// Of the runs of an exploration every fourth one is fair early.
      static func exploring(run number: Int) -> Guidance {
        number.isMultiple(of: 4) ? .after(steps: number / 4 % 16) : .late
      }

      fileprivate func isDue(_ heat: Int, of steps: Int) -> Bool {
        switch self {
        case .never: false
        case .late: heat > steps / 2
        case .after(let first): heat > first
        }
      }
    }

    /// Checks all conditions before a step. Returns who is to make it; `nil` to end the schedule.
    mutating func look(
      at enabled: UnsafeBufferPointer<Offer>, _ chosen: Int, _ made: Int, _ guidance: Guidance
    ) -> Int? {
      var isHot = false
      for index in open.indices.reversed() {
        let (claim, heat) = open[index]
        let isTrue = claim.condition()
        switch claim.kind {
        case .always:
          if isTrue { continue }
          failures.append(claim.failure("false after step \(made)"))
          open.remove(at: index)
        case .eventually(let steps):
          if isTrue {
            open.remove(at: index)
            continue
          }
          open[index].heat = heat + 1
          isHot = isHot || guidance.isDue(heat, of: steps)
          guard heat > steps else { continue }
          failures.append(claim.failure("still false after \(steps) steps"))
          isTooHot = true
          return nil
        }
      }
      return isHot ? turn(among: enabled, made) : chosen
    }

    /// The end has come.
    mutating func settle() {
      for (claim, _) in open where !claim.condition() {
        switch claim.kind {
        case .always: failures.append(claim.failure("false at the end"))
        case .eventually: failures.append(claim.failure("never became true"))
        }
      }
      open = []
    }

    /// The one whose last turn is the longest time ago.
    private mutating func turn(among enabled: UnsafeBufferPointer<Offer>, _ made: Int) -> Int {
      let next = enabled.indices.min { one, other in
        lastTurns[enabled[one].strand, default: -1] < lastTurns[enabled[other].strand, default: -1]
      }
      let chosen = next ?? 0
      lastTurns[enabled[chosen].strand] = made
      return chosen
    }
  }
#endif
