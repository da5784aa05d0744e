import Dispatch

extension Scenario {
  /// A view waits for work of its own importance, or of a higher one.
  ///
  /// **What people write.** A screen that the user waits for needs three parts; they are computed
  /// elsewhere with the same quality of service, and the screen waits for them.
  ///
  /// **Why it looks dangerous.** Important work blocks until other queues are done.
  ///
  /// **Why it is correct.** What it waits for is at least as important, so nothing in between can
  /// overtake it.
  static let qosMatchedWait = Scenario(
    id: "qos-matched-wait", summary: "Waiting for work of the same or a higher quality of service.",
    correct: {
      let screen = DispatchQueue(label: "screen", qos: .userInitiated)
      let header = DispatchQueue(label: "header", qos: .userInitiated)
      let list = DispatchQueue(label: "list", qos: .userInteractive)
      let shown = DispatchGroup()
      screen.async(group: shown) {
        let parts = DispatchGroup()
        list.async(group: parts) { _ = (0..<1_000).reduce(0, +) }
        let footer = DispatchWorkItem(qos: .userInitiated) { _ = (0..<1_000).reduce(0, +) }
        DispatchQueue.global(qos: .userInitiated).async(execute: footer)
        _ = header.sync { (0..<1_000).reduce(0, +) }
        parts.wait()
        footer.wait()
      }
      shown.wait()
    })
}
