#if os(Linux)
  import ThreadmillModel
  import ThreadmillScheduling

  /// Writes down what people are told of a schedule, while it is run once more.
  ///
  /// Used by whoever has its turn, and after the run by whoever explores.
  package final class StoryRecorder {
    private let schedule: Schedule
    private var isEndless = false
    private var told: ArraySlice<Int>
    private var made = 0
    private var steps: [Told] = []
    /// The steps by which tasks go on after `Task.yield`, by their numbers.
    private var yields: Set<Int> = []
    /// The steps of blocks on the queues of XCTest, by their numbers.
    private var onQueuesOfXCTest: Set<Int> = []
    private var waits: [(wait: ScheduleStory.Wait, stack: Backtrace)] = []
    private var awaits: Awaits?
    private var columns: StoryColumns
    /// Strands that took a lock and have not given it back, by the schedule's number for it.
    private var holders: [UInt64: UInt32] = [:]
    private var numbers: [UInt: UInt64] = [:]
    /// Where the last step was made, if that was to start a thread: nobody else knows where a
    /// thread comes from.
    private var origin: Backtrace = []
    private typealias Told = (step: ScheduleStory.Step, stack: Backtrace)
    /// Accesses to memory that is not atomic.
    private var uses: [(use: HandOver.Use, told: Told)] = []
    private var accesses: [HandOver.Access] = []
    /// Steps of atomic accesses, by their numbers, and those of them that are spoken of.
    private var atomic: [Int: Told] = [:]
    private var mentioned: Set<Int> = []

    /// - Parameter first: what the strand is called that begins the schedule.
    package init(_ schedule: Schedule, first: String = "body") {
      self.schedule = schedule
      columns = StoryColumns(first: first)
      told = StoryPlan(schedule).steps[...]
    }

    /// Takes a step that is about to be made.
    package func note(_ enabled: UnsafeBufferPointer<Offer>, chosen: Int, isForced: Bool) {
      let offer = enabled[chosen]
      for other in enabled where columns.isNew(other.strand) {
        columns.started(other.strand, at: origin)
      }
      keepHolders(offer)
      made += 1
      origin = []
      keepUse(offer)
      // Whose turn it is for the first time gets its column in that order.
      guard told.first == made - 1 else {
        if !columns.hasColumn(offer.strand), let view = FlowView.of(offer.strand) {
          _ = columns.column(of: view)
        }
        return
      }
      told.removeFirst()
      guard let view = FlowView.of(offer.strand) else { return }
      if let address = view.address { numbers[address] = offer.object }
      steps.append(step(view, number: made, offer.operation, isForced: isForced))
      if view.isYield { yields.insert(made) }
      if view.isOnQueueOfXCTest { onQueuesOfXCTest.insert(made) }
      if offer.operation == .spawn { origin = view.stack }
    }

    /// Takes what the memory model made of the step that was noted last.
    package func remark(_ remark: MemoryRemark) {
      guard let last = steps.indices.last, steps[last].step.number == made else { return }
      steps[last].step.note = remark.text { columns.name(of: $0) }
      mentioned.insert(remark.newest.step)
    }

    /// Takes the access of the step that was noted last to an atomic variable, or a fence.
    package func note(_ access: HandOver.Access) {
      accesses.append(access)
      guard access.step == made, let last = uses.last, last.use.step == made else { return }
      uses.removeLast()
      atomic[made] = last.told
    }

    private func keepUse(_ offer: Offer) {
      switch offer.operation {
      case .read, .write, .update: break
      default: return
      }
      // To describe a step takes tens of microseconds.
      guard schedule.steps < StoryPlan.long, let view = FlowView.of(offer.strand) else { return }
      if let address = view.address { numbers[address] = offer.object }
      // Its stack is whole as long as it stands still.
      let told = step(view, number: made, offer.operation, isForced: false)
      uses.append((HandOver.Use(step: made, strand: offer.strand), told))
    }

    private func step(
      _ view: FlowView, number: Int, _ operation: OperationKind, isForced: Bool
    ) -> Told {
      let isBegin = operation == .begin
      let step = ScheduleStory.Step(
        number: number, column: columns.column(of: view), operation,
        object: isBegin ? nil : name(of: view), isForced: isForced)
      // What starts the body is none of the program's.
      if number == 1 { return (step, []) }
      // Nor is what calls its main function.
      if operation == .end { return (step, []) }
      return (step, view.stack.isEmpty ? columns.origin(of: view.number) : view.stack)
    }

    private func name(of view: FlowView) -> String? {
      if view.operation == .hop { return actor(of: view) }
      if let object = view.object { return object.name }
      if let file = view.file { return file }
      if view.operation.isOnFile { return nil }
      if let joined = view.joins { return columns.name(of: joined) }
      // The system's own queues have no name, and are nobody's.
      guard view.operation != .submit else { return nil }
      return number(of: view).map { "#\($0)" }
    }

    private func number(of view: FlowView) -> UInt64? {
      view.address.flatMap { numbers[$0] }.flatMap { $0 == 0 ? nil : $0 }
    }

    /// `nil` where a task goes away from its actor, or is on none before and after.
    private func actor(of view: FlowView) -> String? {
      if view.isMain { return "the main actor" }
      guard let address = view.address, let number = number(of: view) else { return nil }
      let type = SwiftObject.nameOfClass(at: address).map { "\($0) " } ?? ""
      return "actor \(type)#\(number)"
    }

    private func keepHolders(_ offer: Offer) {
      switch offer.operation {
      case .lock: holders[offer.object] = offer.strand
      case .unlock: holders[offer.object] = nil
      default: break
      }
    }

    /// The run is over, and nobody has gone away yet: whoever has begun and cannot go on, waits.
    ///
    /// - Parameter isEndless: stopped at its limit of steps.
    package func end(isEndless: Bool) {
      self.isEndless = isEndless
      for view in FlowView.all where !isEndless && view.hasBegun && !view.canGoOn {
        let (step, stack) = step(view, number: made + 1, view.operation, isForced: false)
        let holder = holder(view)
        let isOver = holder.map { FlowView.of($0) == nil } ?? false
        waits.append(
          (
            ScheduleStory.Wait(
              step, holder: holder.flatMap(columns.column), isHolderOver: isOver), stack
          ))
      }
      waits.sort { $0.wait.step.column < $1.wait.step.column }
      if !isEndless { awaits = .now }
    }

    /// Queues are taken and not given back in the same way: of them it is not known.
    private func holder(_ view: FlowView) -> UInt32? {
      switch view.object?.kind {
      case .serialQueue, .concurrentQueue: return nil
      default: break
      }
      if let joined = view.joins { return joined }
      guard view.operation == .lock, let address = view.address, let number = numbers[address]
      else { return nil }
      return holders[number]
    }

    /// The names of the global and static variables among the objects that have only a number.
    private func variables(_ symbolicator: Symbolicator?) -> [String: String] {
      let named = numbers.compactMap { address, number in
        symbolicator?.variable(at: UInt64(address)).map { ("#\(number)", $0.name) }
      }
      return Dictionary(named) { first, _ in first }
    }

    /// The facts about an atomic variable that should have ordered the two accesses of a race;
    /// empty if there is none. Called inside `Gate.delivering`.
    package func handOver(in race: Finding) -> [Finding.Fact] {
      let (now, before) = (race.participants.first, race.participants.dropFirst().first)
      guard let now, let before,
        let handOver = HandOver(from: uses(at: before), to: uses(at: now), by: accesses)
      else { return [] }
      mentioned.formUnion([handOver.store.step, handOver.load.step])
      return handOver.facts(from: before.thread.description, to: now.thread.description) {
        place(atomic[$0.step]?.stack ?? []).map { [$0] } ?? []
      }
    }

    /// The uses at the participant's line: one line may have several accesses, and Thread Sanitizer
    /// compares one of them.
    private func uses(at participant: Finding.Participant) -> [HandOver.Use] {
      guard let line = participant.frames.places.first, line.line != nil else { return [] }
      return uses.filter { use in
        let own = place(use.told.stack)
        return own?.line == line.line && own?.file == line.file
      }.map(\.use)
    }

    /// The user's innermost line.
    private func place(_ stack: Backtrace) -> Frame? {
      (Session.current?.symbolicator?.symbolicated(stack) ?? stack).places.first
    }

    /// With the names of all places; called inside `Gate.delivering`.
    package var story: ScheduleStory {
      let symbolicator = Session.current?.symbolicator
      let variables = variables(symbolicator)
      let known = Set(steps.map(\.step.number))
      let told = (steps + mentioned.subtracting(known).compactMap { atomic[$0] })
        .sorted { $0.step.number < $1.step.number }
      func placed(_ step: ScheduleStory.Step, _ stack: Backtrace) -> ScheduleStory.Step {
        var step = step
        step.object = step.object.map { variables[$0] ?? $0 }
        step.places = stack.places
        return step
      }
      func named(_ stack: Backtrace) -> Backtrace { symbolicator?.symbolicated(stack) ?? stack }
      let steps = told.compactMap { step, stack in
        let stack = named(stack)
        let placed = placed(step, stack)
        let isXCTests =
          stack.isOfXCTest(placed.operation)
          || placed.places.isEmpty && onQueuesOfXCTest.contains(placed.number)
        return placed.isOfProgram && !isXCTests ? placed : nil
      }
      return ScheduleStory(
        columns: columns.names, steps: steps.joining(yields), total: made,
        waits: waits.map { wait, stack in
          .init(
            placed(wait.step, named(stack)), holder: wait.holder, isHolderOver: wait.isHolderOver)
        },
        awaits: awaits?.lines(name: columns.name(ofTask:)) ?? [],
        isEndless: isEndless, schedule: schedule.description
      ).withoutEmptyColumns
    }
  }

  extension HandOver {
    fileprivate func facts(
      from first: String, to second: String, at frames: (Access) -> Backtrace
    ) -> [Finding.Fact] {
      let store =
        releases
        ? "\(store.order.words), as it has to be"
        : "\(store.order.words): \(second) sees its value, and not what \(first) did before it;"
          + " .releasing orders that"
      let load =
        acquires
        ? "\(load.order.words), as it has to be"
        : "\(load.order.words): what \(second) does after it may come before it;"
          + " .acquiring orders that"
      return [
        Finding.Fact("\(Finding.Fact.handOver) is \(store)", frames: frames(self.store)),
        Finding.Fact("the load that takes it over is \(load)", frames: frames(self.load)),
      ]
    }
  }

  extension Backtrace {
    /// The user's own frames; where some have lines, only those.
    package var places: Backtrace {
      let users = filter { !$0.isSystem }
      let placed = users.filter { $0.line ?? 0 > 0 && $0.file != nil }
      return Array((placed.isEmpty ? users : placed).prefix(ScheduleStory.mostPlaces))
    }
  }
#endif
