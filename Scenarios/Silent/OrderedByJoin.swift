import Dispatch
import Foundation

extension Scenario {
  /// The opposite order happens only after the first worker is known to have ended.
  ///
  /// **What people write.** Import in the background, wait for it, then export. Import takes the
  /// index and then the store; export, written by somebody else, the store and then the index.
  ///
  /// **Why it looks dangerous.** Two threads take two locks in opposite orders.
  ///
  /// **Why it is correct.** The wait lies between them: a joined thread, a group that was waited
  /// for, a semaphore that the worker signals when it is done, an item that was put onto a serial
  /// queue after another one. They can never overlap.
  static let orderedByJoin = Scenario(
    id: "ordered-by-join",
    summary: "The opposite order happens only after the first thread was joined.",
    correct: {
      exportAfterJoin()
      exportAfterGroup()
      exportAfterSignal()
      exportLaterOnSameQueue()
    })
}

private final class Archive: Sendable {
  private let index = NSLock()
  private let store = NSLock()

  func importAll() {
    index.lock()
    store.lock()
    store.unlock()
    index.unlock()
  }

  func exportAll() {
    store.lock()
    index.lock()
    index.unlock()
    store.unlock()
  }
}

private func exportAfterJoin() {
  let archive = Archive()
  var worker = pthread_t()
  let status = pthread_create(
    &worker, nil,
    { argument in
      guard let argument else { return nil }
      Unmanaged<Archive>.fromOpaque(argument).takeRetainedValue().importAll()
      return nil
    }, Unmanaged.passRetained(archive).toOpaque())
  precondition(status == 0)
  pthread_join(worker, nil)
  archive.exportAll()
}

private func exportAfterGroup() {
  let archive = Archive()
  let imports = DispatchGroup()
  DispatchQueue.global().async(group: imports) { archive.importAll() }
  imports.wait()
  archive.exportAll()
}

private func exportAfterSignal() {
  let archive = Archive()
  let imported = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    archive.importAll()
    imported.signal()
  }
  imported.wait()
  archive.exportAll()
}

private func exportLaterOnSameQueue() {
  let archive = Archive()
  let jobs = DispatchQueue(label: "jobs")
  jobs.async { archive.importAll() }
  jobs.async { archive.exportAll() }
  jobs.sync {}
}
