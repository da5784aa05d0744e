import Foundation

/// Sends SIGQUIT to itself while one thread is busy and one waits.
@Sendable func busy() {
  let isBusy = DispatchSemaphore(value: 0)
  Thread.detachNewThread { dig(isBusy) }
  Thread.detachNewThread { queueUp(DispatchSemaphore(value: 0)) }
  isBusy.wait()
  Thread.sleep(forTimeInterval: 0.2)
  kill(getpid(), SIGQUIT)
  dispatchMain()
}

@inline(never) func dig(_ isBusy: DispatchSemaphore) {
  isBusy.signal()
  while true {}
}

/// Deals with the signal itself.
@Sendable func ownQuit() {
  signal(SIGQUIT) { _ in _exit(0) }
  kill(getpid(), SIGQUIT)
  dispatchMain()
}
