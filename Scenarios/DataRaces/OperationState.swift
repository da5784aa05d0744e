import Foundation
import Synchronization

extension Scenario {
  /// An asynchronous operation keeps its state in a plain property.
  ///
  /// **What people write.** `isExecuting` and `isFinished` look at `state`. `start()` sets it to
  /// executing and sends the request; the network's callback sets it to finished and delivers the
  /// photo. A timeout does the same, unless it is finished already.
  ///
  /// **Why it breaks.** The queue asks `isFinished` on its thread, the callback writes on the
  /// network's, and the timeout reads and writes on a third. Only the queue's own fields are
  /// guarded, not those of a subclass.
  ///
  /// **How it shows.** An answer that comes with the timeout is delivered twice, or its operation
  /// stays in the queue for ever, when the network is slow.
  ///
  /// **Repair.** The state goes behind a lock, and "finish, unless finished" is one step.
  static let operationState = Scenario(
    id: "operation-state", fault: .dataRaces,
    summary: "An operation's state is read by its queue and written by a callback.",
    expectations: [
      .flawed: .init(.ends, observe: .missed, tsan: .finds("dataRace")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let download = Download()
      let sent = Arrivals()
      download.request = { answer in
        DispatchQueue(label: "network").async {
          sent.meet(2, limit: .infinity)
          answer()
        }
        sent.meet(2, limit: .infinity)
      }
      download.run()
    },
    harmful: {
      let download = Download()
      let meeting = Arrivals()
      let called = Arrivals()
      download.request = { _ in
        DispatchQueue(label: "network").async {
          download.finish { meeting.meet(2, limit: .infinity) }
          called.announce()
        }
        DispatchQueue(label: "timeout").async {
          download.finish { meeting.meet(2, limit: .infinity) }
          called.announce()
        }
      }
      download.run()
      called.wait(for: 2)
      demand(download.deliveries.load(ordering: .relaxed), equals: 1)
    },
    repaired: {
      let download = LockedDownload()
      let meeting = Arrivals()
      let called = Arrivals()
      download.request = { _ in
        DispatchQueue(label: "network").async {
          download.finish { meeting.meet(2, limit: 0.1) }
          called.announce()
        }
        DispatchQueue(label: "timeout").async {
          download.finish { meeting.meet(2, limit: 0.1) }
          called.announce()
        }
      }
      download.run()
      called.wait(for: 2)
      demand(download.deliveries.load(ordering: .relaxed), equals: 1)
    })
}

private class Download: Operation, @unchecked Sendable {
  enum State { case ready, executing, finished }

  final let deliveries = Atomic(0)
  /// Sends the request, and calls what it is given when the answer is there. Set before `run()`.
  final var request: (@escaping @Sendable () -> Void) -> Void = { _ in }
  // Read by the queue, written by callbacks: guarded by nothing, unless a subclass does it.
  private var state = State.ready

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { now == .executing }
  override var isFinished: Bool { now == .finished }

  var now: State { state }

  override func start() {
    tell { move(from: .ready, to: .executing) {} }
    request { self.finish {} }
  }

  /// Delivers the photo, unless that was done.
  ///
  /// `meanwhile` stands for what a busy machine does between reading the state and writing it.
  final func finish(meanwhile: () -> Void) {
    var isMine = false
    tell { isMine = move(from: .executing, to: .finished, meanwhile: meanwhile) }
    if isMine { deliveries.add(1, ordering: .relaxed) }
  }

  @discardableResult
  func move(from old: State, to new: State, meanwhile: () -> Void) -> Bool {
    guard state == old else { return false }
    meanwhile()
    state = new
    return true
  }

  private func tell(change: () -> Void) {
    willChangeValue(for: \.isExecuting)
    willChangeValue(for: \.isFinished)
    change()
    didChangeValue(for: \.isExecuting)
    didChangeValue(for: \.isFinished)
  }

  /// Returns when the operation has finished and everybody has let go of it.
  final func run() {
    let downloads = DispatchQueue(label: "downloads")
    let queue = OperationQueue()
    queue.underlyingQueue = downloads
    queue.addOperation(self)
    queue.waitUntilAllOperationsAreFinished()
    // Finished is one thing, back from `start()` is another.
    downloads.sync {}
  }
}

/// Guards the state with `lock`.
private final class LockedDownload: Download, @unchecked Sendable {
  private let lock = NSLock()

  override var now: State { lock.withLock { super.now } }

  override func move(from old: State, to new: State, meanwhile: () -> Void) -> Bool {
    lock.withLock { super.move(from: old, to: new, meanwhile: meanwhile) }
  }
}
