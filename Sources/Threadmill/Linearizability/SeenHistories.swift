#if os(Linux)
  import ThreadmillHistories
  import ThreadmillModel
  import ThreadmillRuntime

  /// The runs of a scenario, and their distinct histories.
  final class SeenHistories {
    struct Sight {
      let history: History
      /// Of the run that led to it.
      let recorder: ScheduleRecorder
      let number: Int
    }

    private struct Run {
      let calls: [[HistoryRecorder.Call]]
      let recorder: ScheduleRecorder
    }

    private(set) var all: [Sight] = []
    /// Schedules in which a call waited for ever.
    private(set) var waiting = 0
    /// The processor time that it took to tell them apart.
    var duration: Duration = .zero
    /// The last runs, whose histories are not known yet, and how many there were before them.
    private var runs: [Run] = []
    private var before = 0

    var isFull: Bool { runs.count == Self.mostRuns }

    /// More of them take too much memory.
    private static let mostRuns = 1_000

    func removeAll() { (all, runs, waiting, before) = ([], [], 0, 0) }

    func add(_ run: ControlledRun, _ recorder: HistoryRecorder) {
      if recorder.isSomethingUnderWay { waiting += 1 }
      runs.append(Run(calls: recorder.calls, recorder: run.recorder))
    }

    func tellApart(_ newHistory: ([[HistoryRecorder.Call]]) -> History?) {
      for (index, run) in runs.enumerated() {
        guard let history = newHistory(run.calls) else { continue }
        all.append(Sight(history: history, recorder: run.recorder, number: before + index + 1))
      }
      before += runs.count
      runs = []
    }
  }
#endif
