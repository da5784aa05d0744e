import Foundation
import Synchronization

/// Correct, whatever they look like.
let correctCases: [String: @Sendable () -> Void] = [
  "ring-broken-by-removal": {
    let ring = steps(3)
    ring[0].addDependency(ring[1])
    ring[1].addDependency(ring[2])
    ring[1].removeDependency(ring[2])
    // Not run: Foundation on Linux lets an operation wait for what was removed.
    ring[2].addDependency(ring[0])
  },
  "ring-broken-by-the-past": {
    let ring = steps(3)
    ring[0].addDependency(ring[1])
    ring[1].start()
    ring[1].addDependency(ring[2])
    ring[2].addDependency(ring[0])
    OperationQueue().addOperations([ring[0], ring[2]], waitUntilFinished: true)
  },
  "ring-broken-by-cancellation": {
    let ring = steps(3)
    ring[0].addDependency(ring[1])
    ring[1].addDependency(ring[2])
    ring[1].cancel()
    ring[2].addDependency(ring[0])
    OperationQueue().addOperations(ring, waitUntilFinished: true)
  },
  "ring-of-the-always-ready": {
    let eager = Eager()
    let other = Step("other")
    other.addDependency(eager)
    eager.addDependency(other)
    OperationQueue().addOperations([eager, other], waitUntilFinished: true)
  },
  "addresses-used-again": {
    for round in 0..<5_000 {
      let first = round % 2 == 0 ? BlockOperation {} : BlockOperation()
      let second = Step("second")
      if round % 3 == 0 { first.addDependency(second) } else { second.addDependency(first) }
    }
  },
  "waits-for-another-queue": {
    let outer = OperationQueue()
    let inner = OperationQueue()
    outer.maxConcurrentOperationCount = 2
    for _ in 0..<50 {
      outer.addOperation {
        let pair = steps(2)
        pair[1].addDependency(pair[0])
        inner.addOperations(pair, waitUntilFinished: true)
        Step("started by hand").start()
      }
    }
    outer.waitUntilAllOperationsAreFinished()
  },
  "waits-in-its-own-wide-queue": {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 4
    queue.addOperation { queue.addOperations(steps(3), waitUntilFinished: true) }
    queue.waitUntilAllOperationsAreFinished()
  },
  "main-queue-from-elsewhere": {
    OperationQueue().addOperation {
      OperationQueue.main.addOperations(steps(2), waitUntilFinished: true)
      exit(0)
    }
    dispatchMain()
  },
  "asynchronous": {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    let fetches = (0..<200).map { _ in Fetch() }
    for (earlier, later) in zip(fetches, fetches.dropFirst()) where later !== fetches[100] {
      later.addDependency(earlier)
    }
    queue.addOperations(fetches, waitUntilFinished: false)
    for fetch in fetches[90..<110] { fetch.cancel() }
    for fetch in fetches { fetch.waitUntilFinished() }
    queue.waitUntilAllOperationsAreFinished()
  },
  "started-after-its-end": {
    let step = Step("over")
    step.start()
    step.start()
    step.cancel()
  },
]

/// Does not care for its dependencies.
private final class Eager: Operation, @unchecked Sendable {
  override var isReady: Bool { true }
}

/// Finishes on a thread of its own, and notices in `start()` that it was cancelled.
final class Fetch: Operation, @unchecked Sendable {
  enum Phase { case waiting, executing, finished }
  private let storage = Mutex(Phase.waiting)

  var phase: Phase {
    get { storage.withLock { $0 } }
    set {
      willChangeValue(for: \.isExecuting)
      willChangeValue(for: \.isFinished)
      storage.withLock { $0 = newValue }
      didChangeValue(for: \.isExecuting)
      didChangeValue(forKey: "isFinished")
    }
  }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { phase == .executing }
  override var isFinished: Bool { phase == .finished }

  override func start() {
    guard !isCancelled else {
      phase = .finished
      return
    }
    phase = .executing
    DispatchQueue.global().async { self.phase = .finished }
  }
}
