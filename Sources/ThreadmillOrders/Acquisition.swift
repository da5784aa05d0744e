import ThreadmillModel

/// One nested acquisition, kept for as long as one of the edges that it made lives.
///
/// A class, because an acquisition under k locks makes k edges, which share it. It never changes.
package final class Acquisition: Sendable {
  package struct Holding: Sendable {
    package var lock: LockID
    package var mode: HoldMode
    package var site: StoredStack
    package var isMainQueue: Bool
  }

  package let thread: ThreadID
  package let threadName: String?
  package let moment: Moment
  /// Everything held, outermost first; a lock that was taken twice is there twice.
  package let held: [Holding]
  package let wanted: LockID
  package let wantedMode: HoldMode
  package let stack: StoredStack
  package let tests: [String]
  /// Where the code that does it was submitted.
  package let submitted: StoredStack
  package let runs: Execution?

  private init(
    thread: ThreadID, threadName: String?, moment: Moment, held: [Holding], wanted: LockID,
    wantedMode: HoldMode, stack: StoredStack, tests: [String], submitted: StoredStack,
    runs: Execution?
  ) {
    self.thread = thread
    self.threadName = threadName
    self.moment = moment
    self.held = held
    self.wanted = wanted
    self.wantedMode = wantedMode
    self.stack = stack
    self.tests = tests
    self.submitted = submitted
    self.runs = runs
  }

  package convenience init(_ event: NestedAcquisition, held: [Hold]) {
    self.init(
      thread: event.thread, threadName: event.threadName, moment: event.moment,
      held: held.map { hold in
        Holding(
          lock: hold.lock, mode: hold.mode, site: StoredStack(hold.site),
          isMainQueue: hold.isMainQueue)
      },
      wanted: event.wanted.lock, wantedMode: event.wanted.mode, stack: StoredStack(event.stack),
      tests: event.tests, submitted: StoredStack(event.submitted), runs: event.runs)
  }

  /// The same without one of the locks held, after it turned out not to be a lock.
  package func without(_ lock: LockID) -> Acquisition {
    Acquisition(
      thread: thread, threadName: threadName, moment: moment,
      held: held.filter { $0.lock != lock }, wanted: wanted, wantedMode: wantedMode,
      stack: stack, tests: tests, submitted: submitted, runs: runs)
  }

  /// The strongest mode in which `lock` is held; `nil` if it is not held.
  package func mode(of lock: LockID) -> HoldMode? {
    var mode: HoldMode?
    for holding in held where holding.lock == lock {
      if holding.mode == .exclusive { return .exclusive }
      mode = .shared
    }
    return mode
  }

  /// Where `lock` was taken for the first time of those that still last.
  package func site(of lock: LockID) -> StoredStack? { held.first { $0.lock == lock }?.site }

  /// Whether both took the same locks in the same modes, outermost first.
  package func holdsTheSame(as other: Acquisition) -> Bool {
    held.elementsEqual(other.held) { $0.lock == $1.lock && $0.mode == $1.mode }
      && wantedMode == other.wantedMode
  }
}
