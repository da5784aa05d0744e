#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime
  import ThreadmillScheduling

  /// The one schedule that a copy of a test process is made for. The copy runs its tests without
  /// control, until one of them explores; there it runs the schedule.
  struct LoneSchedule {
    /// The exploration that the schedule belongs to.
    struct Place {
      /// Its number among the explorations of the process, from 1.
      var number: Int
      /// Whether only explorations of whole tests are counted.
      var isOfWholeTest: Bool
      /// Whether the body runs once before under another schedule, which makes what is made once in
      /// a process: the schedule was one of many in its process.
      var warmsUp = false
    }

    /// Set in a copy while it has one thread; `nil` in all other processes.
    nonisolated(unsafe) static var current: LoneSchedule?
    /// The explorations that have begun. Used by threads that explore; the tests of a process that
    /// is copied run one after the other.
    nonisolated(unsafe) private static var begun = 0
    /// Whether the exploration is reached: what begins later is within its body. Used by the same.
    nonisolated(unsafe) private static var isReached = false

    let place: Place
    /// Whether the copy only asks for the work of the exploration, and makes no schedule.
    let asks: Bool
    private let run: (Explorer, ExplorationWork) throws -> Void

    init(
      _ place: Place, asks: Bool = false,
      _ run: @escaping (Explorer, ExplorationWork) throws -> Void
    ) {
      (self.place, self.asks, self.run) = (place, asks, run)
    }

    /// Runs the schedule if this exploration is the one, and then does not return. Returns whether
    /// this process explores as usual.
    ///
    /// - Parameter warm: runs one schedule of the exploration.
    static func yieldsTo(
      _ explorer: Explorer, _ work: ExplorationWork, warmingUp warm: () throws -> Void
    ) rethrows -> Bool {
      guard let current, !isReached, explorer.isOfWholeTest || !current.place.isOfWholeTest else {
        return true
      }
      begun += 1
      guard begun == current.place.number else { return false }
      isReached = true
      if current.place.warmsUp { try warm() }
      do { try current.run(explorer, work) } catch { Gate.end(status: ExitStatus.wrongUsage) }
      return false
    }
  }
#endif
