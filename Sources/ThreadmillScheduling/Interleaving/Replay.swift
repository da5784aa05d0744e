import ThreadmillModel

/// The order of a schedule, step by step, and where the program does something else.
///
/// From there on things take their course (``Course``): the rest of the order was made for another
/// run.
package struct Replay: Strategy {
  package let schedule: Schedule
  /// `nil` as long as everything is as it was. Whether the end is the same is known after
  /// ``ended(_:)``.
  package private(set) var divergence: Divergence?

  private let steps: Int
  private let stride: Int
  private var checker: ScheduleChecker
  private var turn = 0
  private var madeInTurn = 0
  private var made = 0
  private var picked = 0

  /// The schedule may be that of a strategy that let time pass, which it does not say: a strand
  /// that is not ready is waited for.
  package var mayLetTimePass = false

  package init(_ schedule: Schedule) {
    self.schedule = schedule
    steps = schedule.steps
    checker = ScheduleChecker(schedule)
    stride = checker.stride
  }

  package var repeatsSchedule: Bool { true }

  /// Every schedule is the same one.
  package mutating func begin(schedule number: Int) -> Bool {
    divergence = nil
    checker = ScheduleChecker(schedule)
    (turn, madeInTurn, made, picked) = (0, 0, 0, 0)
    return true
  }

  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    if divergence != nil { return Course.next(enabled, running: running) }
    guard turn < schedule.turns.count else {
      divergence = Divergence(.wentOn, steps: made...made, found: Array(enabled))
      return Course.next(enabled, running: running)
    }
    let strand = schedule.turns[turn].strand
    let stayed = running.flatMap { enabled[$0].strand == strand ? $0 : nil }
    guard let index = stayed ?? enabled.firstIndex(where: { $0.strand == strand }) else {
      if mayLetTimePass { return Course.timePasses }
      divergence = Divergence(
        .strandNotReady, steps: made...made, strand: strand,
        operation: checker.operation(at: made), found: Array(enabled))
      return Course.next(enabled, running: running)
    }
    if let range = checker.differs(enabled[index], at: made) {
      divergence = Divergence(
        .otherOperation, steps: range, strand: strand, operation: checker.operation(at: made),
        found: [enabled[index]])
    }
    step()
    return index
  }

  package mutating func pick(_ count: Int) -> Int {
    let picks = schedule.picks
    while picked < picks.count, picks[picked].step < made - 1 { picked += 1 }
    guard divergence == nil, picked < picks.count, picks[picked].step == made - 1 else { return 0 }
    if picks[picked].choice < count { return picks[picked].choice }
    divergence = Divergence(.otherOperation, steps: (made - 1)...(made - 1))
    return 0
  }

  package mutating func ended(_ outcome: ScheduleOutcome) {
    guard divergence == nil, made < steps else { return }
    divergence = Divergence(
      .endedEarly, steps: made...made, strand: schedule.turns[turn].strand,
      operation: checker.operation(at: made))
  }

  private mutating func step() {
    made += 1
    madeInTurn += 1
    if madeInTurn == schedule.turns[turn].length { (turn, madeInTurn) = (turn + 1, 0) }
  }
}
