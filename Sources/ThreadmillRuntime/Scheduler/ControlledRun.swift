#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel
  import ThreadmillScheduling

  /// One run of a body under control, which is over.
  package struct ControlledRun {
    package enum End: Equatable, Sendable {
      /// Nothing can go on, now or later.
      case over
      /// It had more steps than it may have.
      case long
      /// Who had its turn made no step for longer than allowed; where it was then.
      case stuck(strand: UInt32, seconds: Int, place: Backtrace)
      /// It had more threads, blocks and jobs than there is room for.
      case full(most: Int)
      /// The system started no thread for a block or job.
      case unseated
      /// Nothing could go on, and nothing came from outside of the process, where somebody waits
      /// for it.
      case outside(place: Backtrace)
    }

    package let end: End
    package let steps: Int
    /// Threads and blocks that began and can never go on.
    package let unfinished: Int
    /// Operations that were not under control.
    package let passed: Int
    /// Whether the strategy let time pass while strands could go on.
    package let hasLetTimePass: Bool
    /// The same for runs in which the same ones went at the same points.
    package let order: UInt64
    /// What was done.
    package let recorder: ScheduleRecorder

    package init(
      end: End, steps: Int, unfinished: Int, passed: Int, hasLetTimePass: Bool = false,
      order: UInt64, recorder: ScheduleRecorder
    ) {
      (self.end, self.steps, self.unfinished, self.passed) = (end, steps, unfinished, passed)
      (self.order, self.recorder) = (order, recorder)
      self.hasLetTimePass = hasLetTimePass
    }

    /// Who went when.
    package func schedule() -> Schedule { recorder.schedule }
  }

  /// A number for the order in which the strands of a run went.
  package struct RunOrder {
    package private(set) var value: UInt64 = 0

    package init() {}

    @inline(__always)
    package mutating func append(_ strand: UInt32) {
      var order = (value ^ UInt64(strand) &+ 1) &* 0x9E37_79B9_7F4A_7C15
      order ^= order >> 32
      value = order
    }

    package mutating func append(pick: Int) {
      value = (value ^ UInt64(pick)) &* 0xBF58_476D_1CE4_E5B9
    }
  }

  extension ControlledRun.End {
    init(_ result: tm_schedule_result) {
      switch result.end {
      case TM_SCHEDULE_LONG: self = .long
      case TM_SCHEDULE_STUCK:
        self = .stuck(
          strand: result.stuck, seconds: Int(result.stuck_for), place: Self.place(of: result))
      case TM_SCHEDULE_OUTSIDE: self = .outside(place: Self.place(of: result))
      case TM_SCHEDULE_FULL: self = .full(most: Int(tm_control_most_flows()))
      case TM_SCHEDULE_UNSEATED: self = .unseated
      default: self = .over
      }
    }

    private static func place(of result: tm_schedule_result) -> Backtrace {
      var count: UInt32 = 0
      let addresses = tm_control_stack(result.stuck_at, &count)
      return Backtrace(addresses, count: count)
    }
  }
#endif
