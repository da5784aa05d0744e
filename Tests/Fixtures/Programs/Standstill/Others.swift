import Foundation

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
