import Dispatch
import Foundation
import Synchronization
import Threadmill

/// Timers of Dispatch, whose time is virtual.
extension Bodies {
  static let timers: [String: Body] = [
    // Cancelled by its own handler; the last one comes after all others.
    "timer": .code {
      let (queue, done) = (DispatchQueue(label: "timer"), DispatchSemaphore(value: 0))
      let began = DispatchTime.now().uptimeNanoseconds
      let ticks = Mutex<[UInt64]>([])
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler {
        dispatchPrecondition(condition: .onQueue(queue))
        let seconds = (DispatchTime.now().uptimeNanoseconds - began) / 1_000_000_000
        let count = ticks.withLock {
          $0.append(seconds)
          return $0.count
        }
        if count == 3 { timer.cancel() }
      }
      timer.setCancelHandler { done.signal() }
      timer.schedule(deadline: .now() + 10, repeating: 5)
      timer.activate()
      done.wait()
      let seen = ticks.withLock { $0 }
      if seen != [10, 15, 20] || !timer.isCancelled { throw Wrong(seen) }
    },
    // Others come in between, but nothing is fired twice or on the wrong queue.
    "timer-beside-work": .code {
      let queue = DispatchQueue(label: "both")
      let (count, isOver) = (Cell(), DispatchSemaphore(value: 0))
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now(), repeating: .milliseconds(100))
      timer.setEventHandler {
        count.value += 1
        if count.value == 10 { isOver.signal() }
      }
      timer.resume()
      onThreads({ queue.sync { count.value += 1 } }, { queue.sync { count.value += 1 } })
      if isOver.wait(timeout: .now() + 60) == .timedOut { throw Wrong("never") }
      timer.cancel()
    },
    "timer-once": .code {
      let count = Atomic(0)
      let fired = DispatchSemaphore(value: 0)
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(wallDeadline: .now() + 3_600)
      timer.setEventHandler {
        count.add(1, ordering: .relaxed)
        fired.signal()
      }
      timer.activate()
      fired.wait()
      if fired.wait(timeout: .now() + 7_200) == .success { throw Wrong("twice") }
      if count.load(ordering: .relaxed) != 1 { throw Wrong(count.load(ordering: .relaxed)) }
    },
    "timer-set-anew": .code {
      let (began, fired) = (ContinuousClock.now, DispatchSemaphore(value: 0))
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + 10)
      timer.setEventHandler { fired.signal() }
      timer.activate()
      timer.schedule(deadline: .now() + 100)
      fired.wait()
      let passed = ContinuousClock.now - began
      if passed < .seconds(100) || passed > .seconds(101) { throw Wrong(passed) }
    },
    "timer-suspended": .code {
      let count = Atomic(0)
      let fired = DispatchSemaphore(value: 0)
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + 1, repeating: 1)
      timer.setEventHandler {
        count.add(1, ordering: .relaxed)
        fired.signal()
      }
      timer.activate()
      fired.wait()
      timer.suspend()
      while fired.wait(timeout: .now()) == .success {}
      let before = count.load(ordering: .relaxed)
      Thread.sleep(forTimeInterval: 60)
      let after = count.load(ordering: .relaxed)
      if after > before + 1 { throw Wrong("\(before), then \(after)") }
      timer.resume()
      fired.wait()
      timer.cancel()
    },
    // Nobody cancels it: it keeps no schedule from its end.
    "timer-left-behind": .code {
      let fired = DispatchSemaphore(value: 0)
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now(), repeating: 1)
      timer.setEventHandler {
        withExtendedLifetime(timer) {}
        fired.signal()
      }
      timer.activate()
      fired.wait()
    },
    "timer-dropped": .code {
      let fired = Atomic(false)
      do {
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + 1)
        timer.setEventHandler { fired.store(true, ordering: .relaxed) }
        timer.activate()
      }
      Thread.sleep(forTimeInterval: 10)
      if fired.load(ordering: .relaxed) { throw Wrong("fired") }
    },
  ]
}
