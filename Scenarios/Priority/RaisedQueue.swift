import Dispatch
import Foundation

extension Scenario {
  /// What the user tapped goes to the end of the queue of thumbnails.
  ///
  /// **What people write.** Thumbnails are made on a serial queue at utility. The picture that the
  /// user taps on is put onto the same queue, with the quality of the screen.
  ///
  /// **Why it breaks.** A serial queue keeps its order: the picture comes after every thumbnail in
  /// it, and all of them are raised to the quality of the screen to get there.
  ///
  /// **How it shows.** The picture takes seconds, and while it does the device is slow and warm.
  ///
  /// **Repair.** A queue of its own for what the user waits for.
  static let raisedQueue = Scenario(
    id: "raised-queue", fault: .priority,
    summary: "Work for the screen is put behind the backlog of a utility queue.",
    expectations: [
      .flawed: .init(.delays, observe: .finds("priorityInversion")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let thumbnails = DispatchQueue(label: "thumbnails", qos: .utility)
      tap(amid: thumbnails, thumbnails)
    },
    repaired: {
      let thumbnails = DispatchQueue(label: "thumbnails", qos: .utility)
      tap(amid: thumbnails, DispatchQueue(label: "tapped", qos: .userInteractive))
    })
}

/// Fills `thumbnails`, then puts the picture that was tapped on onto `pictures`.
private func tap(amid thumbnails: DispatchQueue, _ pictures: DispatchQueue) {
  let tapped = Arrivals()
  let finished = DispatchGroup()
  thumbnails.async(group: finished) { tapped.wait() }
  for _ in 0..<3 {
    thumbnails.async(group: finished) { Thread.sleep(forTimeInterval: 0.02) }
  }
  pictures.async(group: finished, qos: .userInteractive) {}
  tapped.announce()
  finished.wait()
}
