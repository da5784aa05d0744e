#if os(Linux)
  import ThreadmillHistories
  import ThreadmillModel

  /// A call that is kept from its end by others that stand still.
  struct Stalled: Error, CustomStringConvertible {
    let description: String
  }

  /// Sees whether calls make progress, and stops one thread at a random moment to find out. Used by
  /// the flow that has the turn, and between the runs by the explorer.
  ///
  /// A call that cannot go on waits for another one: that is no progress, whichever kind is
  /// demanded. A call that goes on and on without an end is seen by the number of its steps.
  final class ProgressWatch: @unchecked Sendable {
    /// The first call that made no progress, in this run.
    private(set) var stalled: (thread: Int, isSpinning: Bool)?

    private let demand: ProgressGuarantee
    private let recorder: HistoryRecorder
    private var generator: UInt64
    private var strands: [Int: UInt32] = [:]
    private var last: UInt32?
    private var stopAt = 0
    private var stopped: UInt32?
    private var clock = 0
    private var stepsWithoutEnd = 0

    /// So many steps without the end of a call are too many.
    private static let mostSteps = 1_000
    /// A thread is stopped at one of so many first steps.
    private static let lastStop = 48

    init(_ demand: ProgressGuarantee, _ recorder: HistoryRecorder, seed: UInt64) {
      (self.demand, self.recorder, generator) = (demand, recorder, seed | 1)
    }

    func begin() {
      (strands, last, stopped, stalled, clock, stepsWithoutEnd) = ([:], nil, nil, nil, 0, 0)
      generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      stopAt = Int(generator >> 33) % Self.lastStop
    }

    /// The thread whose call begins is the one that made the last step.
    func begins(_ thread: Int) { strands[thread] = last }

    /// Looks at a choice; returns another one while a thread is stopped.
    func look(
      at enabled: UnsafeBufferPointer<Offer>, _ chosen: Int, _ made: Int, mayGuide: Bool
    ) -> Int {
      var chosen = chosen
      noteStalls(enabled)
      if mayGuide {
        if made == stopAt { stopped = last.flatMap { isCalling($0) ? $0 : nil } }
        chosen = other(than: stopped, among: enabled) ?? chosen
      }
      countSteps(enabled[chosen].strand)
      last = enabled[chosen].strand
      return chosen
    }

    private func isCalling(_ strand: UInt32) -> Bool {
      strands.contains { $1 == strand && recorder.underWay[$0] }
    }

    private func noteStalls(_ enabled: UnsafeBufferPointer<Offer>) {
      guard stalled == nil else { return }
      for (thread, strand) in strands where recorder.underWay[thread] {
        if !enabled.contains(where: { $0.strand == strand }) { stalled = (thread, false) }
      }
    }

    /// Another call goes on while one is stopped, as long as there is one.
    private func other(
      than stopped: UInt32?, among enabled: UnsafeBufferPointer<Offer>
    ) -> Int? {
      guard let stopped, stalled == nil else { return nil }
      let others = enabled.indices.filter { enabled[$0].strand != stopped }
      if others.isEmpty { return nil }
      return others.first { enabled[$0].strand == last } ?? others[0]
    }

    private func countSteps(_ strand: UInt32) {
      let goesOn = demand == .lockFree || strand == last
      stepsWithoutEnd = recorder.clock == clock && goesOn ? stepsWithoutEnd + 1 : 0
      clock = recorder.clock
      guard stepsWithoutEnd > Self.mostSteps, stalled == nil else { return }
      let thread = strands.first { $1 == strand && recorder.underWay[$0] }?.key
      stalled = thread.map { ($0, true) }
    }
  }
#endif
