#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel
  import ThreadmillScheduling

  /// What became of one run of a body under control.
  package struct ControlledRun {
    package enum End: Equatable, Sendable {
      /// Nothing can go on, now or later.
      case over
      /// It had more steps than it may have.
      case long
      /// Who had its turn made no step for longer than allowed; where it was then.
      case stuck(strand: UInt32, place: Backtrace)
    }

    package let end: End
    package let steps: Int
    /// Threads and blocks that began and can never go on.
    package let unfinished: Int
    /// Operations that were not under control.
    package let passed: Int
    /// The same for runs in which the same ones went at the same points.
    package let order: UInt64
    /// Who went when.
    package let schedule: () -> Schedule
  }

  /// Runs a body again and again, each time in an order that a strategy chooses: of its threads,
  /// blocks and jobs exactly one goes on.
  package final class Scheduler<Choice: Strategy> {
    /// The scheduler is the only one that it learns from.
    package private(set) var strategy: Choice
    private let steps: Int
    private let patience: Int
    private let doubts: Bool
    private let launch: () -> Void
    private let watching: Watching?
    private let ended: (ControlledRun) -> Verdict

    private var recorder = ScheduleRecorder()
    /// The same for whoever looks for it after a crash.
    private let trail = ScheduleFile.begin()
    private var order: UInt64 = 0
    private var number = 0
    private var goesOn = true

    /// Sees each choice while everybody still stands where they stood: the strategy after it, the
    /// offers, which one was chosen, and whether by force.
    package typealias Watching = (Choice, UnsafeBufferPointer<Offer>, Int, Bool) -> Void

    /// What whoever explores says of a run.
    package struct Verdict {
      let outcome: ScheduleOutcome
      let goesOn: Bool

      package init(_ outcome: ScheduleOutcome, goesOn: Bool) {
        (self.outcome, self.goesOn) = (outcome, goesOn)
      }
    }

    /// - Parameters:
    ///   - steps: how many a run may have.
    ///   - patience: seconds of real time that may pass without a step.
    ///   - doubts: whether somebody outside may help the first time that nothing can go on.
    ///   - watching: `nil` where only speed counts.
    ///   - launch: starts the body: the threads that it makes and the work that it submits are
    ///     under control.
    ///   - ended: called after each run.
    package init(
      _ strategy: Choice, steps: Int, patience: Int = 10, doubts: Bool = true,
      watching: Watching? = nil, launch: @escaping () -> Void,
      ended: @escaping (ControlledRun) -> Verdict
    ) {
      (self.strategy, self.steps) = (strategy, steps)
      (self.patience, self.doubts, self.watching) = (patience, doubts, watching)
      (self.launch, self.ended) = (launch, ended)
    }

    /// Runs until there is no other schedule, or it was enough. Other explorations wait until then.
    ///
    /// - Returns: whether that could be done: not within an exploration, and not where nothing is
    ///   watched.
    package func run() -> Bool {
      precondition(Offer.isImageOfTheGates, "Threadmill internal error: layout of offers")
      let director = Director(
        begin: { [unowned self] in begin() }, launch: launch,
        choose: { [unowned self] in choose(among: $0, running: $1) },
        end: { [unowned self] in end($0) })
      return withExtendedLifetime(self) {
        director.run(steps: steps, patience: patience, doubts: doubts)
      }
    }

    private func begin() -> Bool {
      recorder.removeAll()
      trail?.clear()
      order = 0
      return goesOn && strategy.begin(schedule: number)
    }

    private func choose(among enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
      let chosen = strategy.next(enabled, running: running)
      let isForced = Course.isForced(enabled, running: running, chosen: chosen)
      if let watching { watching(strategy, enabled, chosen, isForced) }
      recorder.append(enabled[chosen], isForced: isForced)
      trail?.append(enabled[chosen], isForced: isForced)
      order = (order ^ UInt64(enabled[chosen].strand) &+ 1) &* 0x9E37_79B9_7F4A_7C15
      order ^= order >> 32
      return chosen
    }

    private func end(_ result: tm_schedule_result) {
      trail?.clear()
      let verdict = ended(
        ControlledRun(
          end: .init(result), steps: Int(result.steps),
          unfinished: Int(result.unfinished), passed: Int(result.passed), order: order
        ) { [recorder] in recorder.schedule })
      number += 1
      // What is stuck goes on by itself, and may disturb whatever comes next.
      goesOn = verdict.goesOn && result.end != TM_SCHEDULE_STUCK
      strategy.ended(verdict.outcome)
    }
  }

  extension ControlledRun.End {
    fileprivate init(_ result: tm_schedule_result) {
      switch result.end {
      case TM_SCHEDULE_LONG: self = .long
      case TM_SCHEDULE_STUCK:
        var count: UInt32 = 0
        let addresses = tm_control_stack(result.stuck_at, &count)
        self = .stuck(strand: result.stuck, place: Backtrace(addresses, count: count))
      default: self = .over
      }
    }
  }

  /// The gate's director: calls without types.
  private final class Director {
    private let begin: () -> Bool
    private let launch: () -> Void
    private let choose: (UnsafeBufferPointer<Offer>, Int?) -> Int
    private let end: (tm_schedule_result) -> Void

    init(
      begin: @escaping () -> Bool, launch: @escaping () -> Void,
      choose: @escaping (UnsafeBufferPointer<Offer>, Int?) -> Int,
      end: @escaping (tm_schedule_result) -> Void
    ) {
      (self.begin, self.launch) = (begin, launch)
      (self.choose, self.end) = (choose, end)
    }

    func run(steps: Int, patience: Int, doubts: Bool) -> Bool {
      var director = tm_director(
        context: Unmanaged.passUnretained(self).toOpaque(), steps: UInt64(steps),
        patience: UInt32(patience), doubts: doubts,
        begin: { Director.of($0).begin() }, launch: { Director.of($0).launch() },
        choose: { context, offers, count, running in
          let enabled = UnsafeBufferPointer(
            start: UnsafeRawPointer(offers)?.assumingMemoryBound(to: Offer.self),
            count: Int(count))
          return UInt32(Director.of(context).choose(enabled, running < 0 ? nil : Int(running)))
        },
        ended: { context, result in
          if let result { Director.of(context).end(result.pointee) }
        })
      return withExtendedLifetime(self) { tm_control(&director) }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Director {
      guard let context else { preconditionFailure("Threadmill internal error: no director") }
      return Unmanaged.fromOpaque(context).takeUnretainedValue()
    }
  }

  extension Offer {
    /// Whether the gate writes offers down as they are here.
    fileprivate static var isImageOfTheGates: Bool {
      MemoryLayout<Offer>.stride == MemoryLayout<tm_offer>.stride
        && MemoryLayout<Offer>.offset(of: \.object) == MemoryLayout<tm_offer>.offset(of: \.object)
        && MemoryLayout<Offer>.offset(of: \.strand) == MemoryLayout<tm_offer>.offset(of: \.flow)
        && MemoryLayout<Offer>.offset(of: \.operation) == MemoryLayout<tm_offer>.offset(of: \.kind)
        && MemoryLayout<Offer>.offset(of: \.writes) == MemoryLayout<tm_offer>.offset(of: \.writes)
    }
  }

  extension Gate {
    /// Whether the code here is under control.
    package static var isControlled: Bool { tm_is_controlled() }
    /// The body that is explored has come to its end, and waits for no timer any more.
    package static func bodyIsOver() { tm_control_body_over() }
    /// Threads that explorations of this process have left where they can never go on.
    package static var parkedThreads: Int { Int(tm_control_parked()) }
  }

  extension Session {
    /// Whether a finding that is delivered here was made by code under control.
    package static var isExploring: Bool { tm_is_exploring() }

    /// The test that the code here works for, by its name; empty for none.
    package static var currentTests: [String] {
      guard let current else { return [] }
      tm_runtime_lock()
      defer { tm_runtime_unlock() }
      return current.tests(scope: tm_current_scope())
    }
  }
#endif
