import Dispatch

// Semaphores, queues and sources at their end.

let releaseCases: [String: @Sendable () -> Void] = [
  "semaphore-one-signal-missing": {
    let semaphore = DispatchSemaphore(value: 1)
    semaphore.wait()
  },
  "semaphore-timed-out": {
    let semaphore = DispatchSemaphore(value: 1)
    semaphore.wait()
    _ = semaphore.wait(timeout: .now())
    semaphore.signal()
  },
  "semaphore-all-given-back": {
    let semaphore = DispatchSemaphore(value: 2)
    for _ in 0..<5 {
      semaphore.wait()
      semaphore.signal()
    }
  },
  "semaphore-signalled-first": {
    let semaphore = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { semaphore.signal() }
    semaphore.wait()
  },
  "semaphore-left-signalled": {
    let semaphore = DispatchSemaphore(value: 0)
    semaphore.signal()
  },
  "queue-suspended": {
    let queue = DispatchQueue(label: "asleep")
    queue.suspend()
  },
  "queue-suspended-twice": {
    let queue = DispatchQueue(label: "asleep", attributes: .concurrent)
    queue.suspend()
    queue.suspend()
    queue.resume()
  },
  "queue-never-activated": {
    _ = DispatchQueue(label: "idle", attributes: .initiallyInactive)
  },
  "timer-never-resumed": {
    _ = DispatchSource.makeTimerSource()
  },
  "timer-cancelled-while-suspended": {
    let timer = DispatchSource.makeTimerSource()
    timer.resume()
    timer.suspend()
    timer.cancel()
  },
  "queue-resumed": {
    let queue = DispatchQueue(label: "awake")
    queue.suspend()
    queue.async {}
    queue.resume()
    queue.sync {}
  },
  "queue-activated": {
    let queue = DispatchQueue(label: "active", attributes: [.initiallyInactive, .concurrent])
    queue.setTarget(queue: DispatchQueue(label: "target"))
    queue.activate()
    queue.sync {}
  },
  "queue-activated-while-suspended": {
    let queue = DispatchQueue(label: "active", attributes: .initiallyInactive)
    queue.suspend()
    queue.activate()
    queue.resume()
    queue.sync {}
  },
  "timer-resumed-and-cancelled": {
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler {}
    timer.schedule(deadline: .now() + 60)
    timer.resume()
    timer.cancel()
  },
  "timer-activated": {
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now())
    timer.activate()
    timer.setEventHandler {}
    timer.cancel()
  },
  "source-suspended-in-its-handler": {
    let source = DispatchSource.makeUserDataAddSource()
    let called = DispatchSemaphore(value: 0)
    source.setEventHandler {
      source.suspend()
      called.signal()
    }
    source.resume()
    source.add(data: 1)
    called.wait()
    source.setEventHandler {}
    source.cancel()
    source.resume()
  },
]
