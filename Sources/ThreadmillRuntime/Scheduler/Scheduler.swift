#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel
  import ThreadmillScheduling

  /// Runs a body again and again, each time in an order that a strategy chooses: of its threads,
  /// blocks and jobs exactly one goes on.
  package final class Scheduler<Choice: Strategy>: Director {
    private let watching: Watching?
    private let launchBody: () -> Void
    private let ended: (ControlledRun) -> Verdict
    /// The same as is recorded for whoever looks for it after a crash.
    private let trail = ScheduleFile.begin()
    /// In memory of their own, where nothing is copied, kept alive or checked at every step; apart,
    /// because at every step the runtime would be asked how a state with any strategy in it is laid
    /// out.
    private let choice: UnsafeMutablePointer<Choice>
    private let state: UnsafeMutablePointer<SchedulerState>

    /// Whether the strategy may let time pass.
    package var letsTimePass = false

    /// Sees each choice while everybody still stands where they stood: the strategy after it, the
    /// offers, which one was chosen, and whether by force.
    package typealias Watching = (
      UnsafePointer<Choice>, UnsafeBufferPointer<Offer>, Int, Bool
    ) -> Void

    /// Sees what the memory model made of the access of the last step, if that did not see the
    /// newest store.
    package var remarking: ((MemoryRemark) -> Void)?
    /// Sees each access to an atomic variable of the memory model, and each fence.
    package var noting: ((HandOver.Access) -> Void)?
    /// Called when a run has too many steps. What its strands do after that is of no run.
    package var cutting: (() -> Void)?

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
    ///   - isWeak: whether loads read any store that C++20 allows, and not only the newest one.
    ///   - watching: `nil` where only speed counts.
    ///   - launch: starts the body as one piece of work, which asks `Gate.beginBody` first: it is
    ///     called for runs ahead, and some there are not after all.
    ///   - ended: called after each run, on whatever thread.
    package init(
      _ strategy: Choice, steps: Int, patience: Int = 10, doubts: Bool = true,
      isWeak: Bool = false, watching: Watching? = nil, launch: @escaping () -> Void,
      ended: @escaping (ControlledRun) -> Verdict
    ) {
      choice = .allocate(capacity: 1)
      choice.initialize(to: strategy)
      state = .allocate(capacity: 1)
      state.initialize(to: SchedulerState(steps: steps))
      (self.watching, launchBody, self.ended) = (watching, launch, ended)
      super.init(steps: steps, patience: patience, doubts: doubts, isWeak: isWeak)
    }

    deinit {
      choice.deinitialize(count: 1)
      choice.deallocate()
      state.deinitialize(count: 1)
      state.deallocate()
    }

    /// The scheduler is the only one that it learns from.
    package var strategy: Choice { choice.pointee }
    /// What was not under control, of all runs.
    package private(set) var passed: [PassedOperation] = []

    /// Makes one choice that is none of a schedule's.
    package func rehearse() {
      guard Offer.isImageOfTheGates, begin() else { return }
      let offer = Offer(strand: 0, .begin)
      withUnsafePointer(to: offer) {
        _ = choose(among: UnsafeBufferPointer(start: $0, count: 1), running: nil)
      }
    }

    override func begin() -> Bool {
      state.pointee.recorder.removeAll()
      state.pointee.order = RunOrder()
      state.pointee.memory.removeAll()
      state.pointee.fairness.begin()
      state.pointee.passedTime = 0
      choice.pointee.mayLetTimePass = letsTimePass
      trail?.begin(run: state.pointee.number + 1)
      return state.pointee.goesOn && choice.pointee.begin(schedule: state.pointee.number)
    }

    override func launch() { launchBody() }

    override func choose(among enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
      let made = state.pointee.recorder.steps.count
      var chosen = fairChoice(among: enabled, running: running, made: made)
      if chosen == Course.timePasses {
        if letTimePass() { return Self.again }
        chosen = chooseNow(among: enabled, running: running, made: made)
      }
      if let attention {
        choice.pointee.stateIsWatched()
        guard let other = attention(enabled, running, chosen, made) else { return Self.none }
        chosen = other
      }
      let isForced = Course.isForced(enabled, running: running, chosen: chosen)
      if let watching {
        watching(UnsafePointer(choice), enabled, chosen, isForced)
      }
      let offer = enabled[chosen]
      state.pointee.recorder.append(offer, isForced: isForced)
      trail?.append(offer, isForced: isForced)
      state.pointee.order.append(offer.strand)
      state.pointee.fairness.goes(offer.strand, made: made)
      return chosen
    }

    /// Virtual time that may pass in a schedule while strands could go on, in nanoseconds.
    private static var mostPassedTime: UInt64 { 10_000_000_000 }

    private func letTimePass() -> Bool {
      let passed = tm_control_let_time_pass(Self.mostPassedTime - state.pointee.passedTime)
      state.pointee.passedTime += passed
      return passed > 0
    }

    /// The choice of a strategy for which no time passes.
    private func chooseNow(
      among enabled: UnsafeBufferPointer<Offer>, running: Int?, made: Int
    ) -> Int {
      choice.pointee.mayLetTimePass = false
      defer { choice.pointee.mayLetTimePass = true }
      return fairChoice(among: enabled, running: running, made: made)
    }

    /// The strategy's choice. In a long schedule it has none where a strand is due.
    @inline(__always)
    private func fairChoice(
      among enabled: UnsafeBufferPointer<Offer>, running: Int?, made: Int
    ) -> Int {
      guard let due = state.pointee.fairness.next(enabled, made: made),
        !choice.pointee.repeatsSchedule
      else { return choice.pointee.next(enabled, running: running) }
      let only = UnsafeBufferPointer(rebasing: enabled[due...due])
      _ = choice.pointee.next(only, running: running == due ? 0 : nil)
      return due
    }

    override func access(_ atomic: inout tm_atomic) -> Bool {
      let step = state.pointee.recorder.steps.count
      let made = state.pointee.memory.access(&atomic, step: step) { choice.pointee.pick($0) }
      noting?(made.access)
      guard let remark = made.remark else { return false }
      state.pointee.recorder.pick(remark.choice)
      trail?.pick(remark.choice)
      state.pointee.order.append(pick: remark.choice)
      remarking?(remark)
      return true
    }

    override func order(_ ordering: tm_ordering, by strand: UInt32) {
      state.pointee.memory.order(ordering, by: strand)
    }
    override func fence(_ order: Int32, by strand: UInt32) {
      let step = state.pointee.recorder.steps.count
      let fence = state.pointee.memory.fence(order, by: strand, step: step)
      noting?(fence)
    }
    override func forget(_ addresses: Range<UInt>) { state.pointee.memory.forget(addresses) }

    override func cut() {
      trail?.clear()
      cutting?()
    }

    override func end(_ result: tm_schedule_result) {
      trail?.clear()
      let waiting = choice.pointee.asksForWaiting ? Self.waiting : []
      if !waiting.isEmpty { choice.pointee.left(waiting: waiting) }
      let verdict = ended(
        ControlledRun(
          end: .init(result), steps: Int(result.steps), unfinished: Int(result.unfinished),
          passed: Int(result.passed), hasLetTimePass: state.pointee.passedTime > 0,
          order: state.pointee.order.value, recorder: state.pointee.recorder))
      state.pointee.number += 1
      // What is stuck goes on by itself, and may disturb whatever comes next.
      state.pointee.goesOn = verdict.goesOn && result.end != TM_SCHEDULE_STUCK
      choice.pointee.ended(verdict.outcome)
    }

    /// The next steps of the strands that can never go on, or of the first of many.
    private static var waiting: [Offer] {
      let most = 1_024
      return withUnsafeTemporaryAllocation(of: tm_offer.self, capacity: most) { steps in
        let count = Int(tm_control_waiting(steps.baseAddress, UInt32(most)))
        return steps[..<count].map { step in
          Offer(
            strand: step.flow, OperationKind(rawValue: step.kind) ?? .other, object: step.object,
            writes: step.writes)
        }
      }
    }

    override func over() { passed = Session.passedOperations }
  }

  private struct SchedulerState {
    var recorder = ScheduleRecorder()
    var memory = AtomicMemory()
    var order = RunOrder()
    var fairness: Fairness
    var number = 0
    var goesOn = true
    /// Nanoseconds that passed while strands could go on.
    var passedTime: UInt64 = 0

    init(steps: Int) { fairness = Fairness(steps: steps) }
  }

  extension Gate {
    /// To be asked by what a scheduler launches, before it does anything: whether it is to go on.
    package static func beginBody() -> Bool { tm_control_begin_body() }
    /// Whether the code here is under control.
    package static var isControlled: Bool { tm_is_controlled() }
    /// Whether the program's atomic accesses go through Threadmill.
    package static var seesAtomics: Bool { tm_atomics_are_wrapped() }
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
