import Dispatch

extension Scenario {
  /// A heartbeat can be paused, and goes away with its screen.
  ///
  /// **What people write.** A timer source that is resumed when it is made, `suspend()` to pause
  /// it, and `cancel()` in `deinit`.
  ///
  /// **Why it breaks.** A source that is suspended cannot finish its cancellation. libdispatch ends
  /// the program when a suspended queue or source loses its last reference, cancelled or not.
  ///
  /// **How it shows.** A crash when the screen is closed, but only while the heartbeat is paused.
  /// The same happens to a timer that was made and never resumed at all.
  ///
  /// **Repair.** Remember whether it is paused, and resume it before letting it go.
  static let suspendedRelease = Scenario(
    id: "suspended-release", fault: .misuse,
    summary: "A suspended timer source is released.",
    expectations: [
      .flawed: .init(.traps, observe: .finds("queueMisuse")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let heartbeat = Heartbeat(resumesAtTheEnd: false)
      heartbeat.pause()
    },
    repaired: {
      let heartbeat = Heartbeat(resumesAtTheEnd: true)
      heartbeat.pause()
    })
}

private final class Heartbeat {
  private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "heartbeat"))
  private let resumesAtTheEnd: Bool
  private var isPaused = false

  init(resumesAtTheEnd: Bool) {
    self.resumesAtTheEnd = resumesAtTheEnd
    timer.setEventHandler {}
    timer.schedule(deadline: .now() + 60, repeating: 60)
    timer.resume()
  }

  func pause() {
    isPaused = true
    timer.suspend()
  }

  deinit {
    timer.cancel()
    if resumesAtTheEnd && isPaused { timer.resume() }
  }
}
