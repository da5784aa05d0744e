import Foundation
import Synchronization

/// Waits for the end of a worker who waits for the key that the foreman has.
final class Foreman: Sendable {
  private let key = NSLock()
  private let both = Meeting()

  @inline(never) func callItADay() {
    key.lock()
    var worker = pthread_t()
    let status = pthread_create(
      &worker, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Foreman>.fromOpaque(argument).takeUnretainedValue().cleanUp()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    precondition(status == 0)
    both.come()
    pthread_join(worker, nil)
  }

  @inline(never) private func cleanUp() {
    both.come()
    key.lock()
  }
}

/// The main thread stands in a lock before anybody wants its queue.
final class Errand: Sendable {
  private let purse = NSLock()
  private let both = Meeting()
  private let gone = Atomic(false)

  @inline(never) func callHome() {
    purse.lock()
    both.come()
    while !gone.load(ordering: .sequentiallyConsistent) || !isAsleep(thread: getpid()) {
      usleep(500)
    }
    DispatchQueue.main.sync {}
  }

  @inline(never) func stayAtHome() {
    both.come()
    gone.store(true, ordering: .sequentiallyConsistent)
    purse.lock()
  }
}

/// Whether the thread sleeps in the kernel: its state follows the name in its `stat`.
private func isAsleep(thread: pid_t) -> Bool {
  guard let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8)
  else { return false }
  return text.split(separator: ")").last?.hasPrefix(" S") == true
}

/// The queue's work wants the lock of somebody who waits for the queue.
final class Cache: Sendable {
  private let lock = NSLock()
  private let disk = DispatchQueue(label: "disk")
  private let both = Meeting()

  func cleanUpLater() { disk.async { self.cleanUp() } }

  @inline(never) private func cleanUp() {
    both.come()
    lock.lock()
  }

  @inline(never) func lookUp() {
    lock.lock()
    both.come()
    disk.sync {}
  }
}

final class Books: Sendable {
  private let ledger = DispatchQueue(label: "ledger")
  private let journal = DispatchQueue(label: "journal")
  private let both = Meeting()

  @inline(never) func post() { ledger.sync { enterIntoJournal() } }
  @inline(never) func settle() { journal.sync { enterIntoLedger() } }

  @inline(never) private func enterIntoJournal() {
    both.come()
    journal.sync {}
  }

  @inline(never) private func enterIntoLedger() {
    both.come()
    ledger.sync {}
  }
}
