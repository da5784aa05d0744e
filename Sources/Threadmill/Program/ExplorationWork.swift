#if os(Linux)
  import ThreadmillModel

  /// What an exploration is to do, for another process that does it.
  enum ExplorationWork {
    case explore(schedules: Int, strategy: ExplorationStrategy)
    case follow(Schedule)
    /// It looks at every schedule itself, as ``outcomes(schedules:strategy:seed:steps:_:)`` does,
    /// so no other process can do it.
    case own

    /// The same as words; empty for ``own``.
    func words(seed: UInt64, steps: Int) -> [String] {
      let numbers = ["\(seed)", "\(steps)"]
      return switch self {
      case .explore(let schedules, let strategy):
        numbers + ["\(schedules)", strategy.rawValue]
      case .follow(let schedule): numbers + [schedule.description]
      case .own: []
      }
    }

    /// Reads ``words(seed:steps:)``; `nil` for anything else.
    static func parse(_ words: [String]) -> (work: Self, seed: UInt64, steps: Int)? {
      guard words.count > 2, let seed = UInt64(words[0]), let steps = Int(words[1]) else {
        return nil
      }
      if words.count == 3 {
        return (try? Schedule(parsing: words[2])).map { (.follow($0), seed, steps) }
      }
      guard words.count == 4, let schedules = Int(words[2]),
        let strategy = ExplorationStrategy(rawValue: words[3])
      else { return nil }
      return (.explore(schedules: schedules, strategy: strategy), seed, steps)
    }
  }
#endif
