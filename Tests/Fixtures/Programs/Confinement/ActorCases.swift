import Foundation
import Threadmill

extension Case {
  static let mainCases: [Case] = [
    Case(name: "main-itself", isRight: true) { book(Confined(to: .main) { Ledger() }) },
    Case(name: "main-async", isRight: true) {
      let ledger = Confined(to: .main) { Ledger() }
      DispatchQueue.main.async {
        book(ledger)
        exit(0)
      }
      dispatchMain()
    },
    Case(name: "main-sync-of-thread", isRight: true) {
      let ledger = Confined(to: .main) { Ledger() }
      DispatchQueue.global().async {
        DispatchQueue.main.sync { book(ledger) }
        exit(0)
      }
      RunLoop.main.run()
    },
    Case(name: "main-actor-task", isRight: true) {
      let ledger = Confined(to: MainActor.shared) { Ledger() }
      book(ledger)
      Task { @MainActor in
        await Task.yield()
        book(ledger)
        exit(0)
      }
      dispatchMain()
    },
    Case(name: "main-queue-for-main-actor", isRight: true) {
      let ledger = Confined(to: .main) { Ledger() }
      Task.detached {
        await MainActor.run { book(ledger) }
        exit(0)
      }
      RunLoop.main.run()
    },
    Case(name: "main-from-global", isRight: false) {
      let ledger = Confined(to: .main) { Ledger() }
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { book(ledger) }
      group.wait()
    },
    Case(name: "main-actor-from-task", isRight: false) {
      let ledger = Confined(to: MainActor.shared) { Ledger() }
      runTask { book(ledger) }
    },
  ]

  static let actorCases: [Case] = [
    Case(name: "actor-itself", isRight: true) {
      runTask {
        let bank = Bank()
        await bank.work()
        await bank.workAfterWaiting()
      }
    },
    Case(name: "actor-under-load", isRight: true) { runTask { await Bank().workForMany() } },
    Case(name: "actor-of-inheriting-task", isRight: true) {
      runTask { await Bank().workInTask() }
    },
    Case(name: "actor-going-away", isRight: true) {
      runTask {
        for _ in 0..<100 { await Bank().work() }
      }
    },
    Case(name: "actor-of-own-executor", isRight: true) {
      runTask { await QueueActor().work() }
    },
    Case(name: "actor-from-task", isRight: false) {
      runTask {
        let ledger = await Bank().ledger
        book(ledger)
      }
    },
    Case(name: "actor-from-other-actor", isRight: false) {
      runTask {
        let (owner, other) = (Bank(), Bank())
        await other.work(on: owner.ledger)
        await owner.work()
      }
    },
    Case(name: "actor-from-thread", isRight: false) {
      runTask {
        let ledger = await Bank().ledger
        DispatchQueue(label: "other").sync { book(ledger) }
      }
    },
  ]
}

private actor Bank {
  private var own: Confined<Ledger>?

  var ledger: Confined<Ledger> {
    if let own { return own }
    let made = Confined(to: self) { Ledger() }
    own = made
    return made
  }

  func work() { book(ledger) }

  func work(on other: Confined<Ledger>) { book(other) }

  func workAfterWaiting() async {
    book(ledger)
    await Task.yield()
    try? await Task.sleep(for: .milliseconds(1))
    book(ledger)
  }

  func workForMany() async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 { group.addTask { await self.workAfterWaiting() } }
    }
  }

  func workInTask() async {
    let task = Task { work() }
    await task.value
  }
}

/// An actor that runs on a queue, and knows best where that is.
private actor QueueActor {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func work() {
    let ledger = Confined(to: self) { Ledger() }
    book(ledger)
    DispatchQueue.global().sync { book(ledger) }
  }
}

private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
