import Dispatch
import Foundation
import Synchronization

extension Scenario {
  /// Photos are uploaded in a `concurrentPerform`, and the first error is kept for the user.
  ///
  /// **What people write.** A variable outside of the loop. Each upload that fails looks whether
  /// there is an error yet, and if not, stores its own and puts up the alert.
  ///
  /// **Why it breaks.** The iterations run at the same time, that is what the loop is for. Two of
  /// them find no error, both store theirs, and both have been the first.
  ///
  /// **How it shows.** No network, two alerts on top of each other. The error in the log is not the
  /// one that the user has seen. With more than two, a crash when the error is let go of.
  ///
  /// **Repair.** One lock around looking and storing.
  static let sharedError = Scenario(
    id: "shared-error", fault: .dataRaces,
    summary: "Iterations of a concurrentPerform store into one error.",
    processors: 2,
    expectations: [
      .flawed: .init(.ends, observe: .missed, tsan: .finds("dataRace")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let upload = PhotoUpload()
      let failed = Arrivals()
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        failed.meet(2, limit: .infinity)
        upload.note(UploadError(photo: number))
      }
    },
    harmful: {
      let upload = PhotoUpload()
      let looked = Arrivals()
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        upload.note(UploadError(photo: number)) { looked.meet(2, limit: .infinity) }
      }
      demand(upload.alerts.load(ordering: .relaxed), equals: 1)
    },
    repaired: {
      let upload = PhotoUpload()
      let looked = Arrivals()
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        upload.noteLocked(UploadError(photo: number)) { looked.meet(2, limit: 0.1) }
      }
      demand(upload.alerts.load(ordering: .relaxed), equals: 1)
    })
}

private struct UploadError: Error {
  let photo: Int
}

private final class PhotoUpload: @unchecked Sendable {
  /// How often the user was told.
  let alerts = Atomic(0)
  // Guarded by `lock` after the repair, by nothing before.
  private var storedError: (any Error)?
  private let lock = NSLock()

  /// `meanwhile` stands for what a busy machine does between looking and storing.
  func note(_ error: any Error, meanwhile: () -> Void = {}) {
    guard storedError == nil else { return }
    meanwhile()
    storedError = error
    alerts.add(1, ordering: .relaxed)
  }

  func noteLocked(_ error: any Error, meanwhile: () -> Void) {
    lock.withLock { note(error, meanwhile: meanwhile) }
  }
}
