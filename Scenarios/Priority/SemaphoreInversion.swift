import Dispatch
import Foundation
import Synchronization

extension Scenario {
  /// An export in the background and the screen take turns with a semaphore, on a busy machine.
  ///
  /// **What people write.** One scanner, guarded by a semaphore of value 1. The export takes it in
  /// the background; the screen takes it at once when the user asks for a preview. Indexing at
  /// utility keeps the cores busy meanwhile.
  ///
  /// **Why it breaks.** A semaphore has no owner, so nobody can raise the export while the screen
  /// waits for it. Whatever is above the background runs first, and the screen waits for that, too.
  ///
  /// **How it shows.** The preview is quick on the developer's idle machine and takes seconds on a
  /// busy one.
  ///
  /// **Repair.** Whoever shares the scanner with the screen runs at the quality of the screen.
  static let semaphoreInversion = Scenario(
    id: "semaphore-inversion", fault: .priority,
    summary: "Background work holds a semaphore that the screen waits for.",
    expectations: [
      .flawed: .init(
        .delays, observe: .finds("priorityInversion"), explore: .finds("priorityInversion")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: { Scanner().exportDuringPreview(at: .background) },
    repaired: { Scanner().exportDuringPreview(at: .userInteractive) })
}

private final class Scanner: Sendable {
  private let turn = DispatchSemaphore(value: 1)
  private let exported = Atomic(false)

  func exportDuringPreview(at quality: DispatchQoS) {
    let exports = DispatchQueue(label: "exports", qos: quality)
    let screen = DispatchQueue(label: "screen", qos: .userInteractive)
    let (exporting, asked) = (Arrivals(), Arrivals())
    let finished = DispatchGroup()
    DispatchQueue.global(qos: .utility).async(group: finished) {
      compute { self.exported.load(ordering: .relaxed) }
    }
    exports.async(group: finished) {
      self.turn.wait()
      exporting.announce()
      asked.wait()
      Thread.sleep(forTimeInterval: 0.1)
      self.turn.signal()
      self.exported.store(true, ordering: .relaxed)
    }
    screen.async(group: finished) {
      exporting.wait()
      asked.announce()
      self.turn.wait()
      self.turn.signal()
    }
    finished.wait()
  }
}
