import CThreadmillConformance
import Dispatch

/// Groups, semaphores, work items, delays and loops through the Swift overlay.
let workCases = [
  Case("swift-group.wait", body: groupWait),
  Case("swift-group.timeout", body: groupTimeout),
  Case("swift-group.notify", body: groupNotify),
  Case("swift-semaphore.results", body: semaphoreResults),
  Case("swift-semaphore.throttle", body: semaphoreThrottle),
  Case("swift-item.perform", body: itemPerform),
  Case("swift-item.wait", body: itemWait),
  Case("swift-item.notify", body: itemNotify),
  Case("swift-item.cancel", body: itemCancel),
  Case("swift-item.many-waiters", body: itemsInTurn),
  Case("swift-after.not-before", body: afterNotBefore),
  Case("swift-perform.each-once", body: performEachOnce),
  Case("swift-once.lazy-global", body: lazyGlobal),
  Case("swift-source.timer", body: timerSource),
]

private func groupWait() {
  let group = DispatchGroup()
  let ran = Count()
  let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
  for _ in 0..<500 { queue.async(group: group) { ran.increment() } }
  for _ in 0..<100 {
    group.enter()
    queue.async {
      ran.increment()
      group.leave()
    }
  }
  group.wait()
  expect("ran", ran.value, 600)
  expect("again", group.wait(timeout: .now()), .success)
}

private func groupTimeout() {
  let group = DispatchGroup()
  let go = Count()
  DispatchQueue.global().async(group: group) { go.await(1) }
  expect("now", group.wait(timeout: .now()), .timedOut)
  let deadline = DispatchTime.now() + .milliseconds(10)
  expect("soon", group.wait(timeout: deadline), .timedOut)
  expect("not early", DispatchTime.now() >= deadline)
  expect("wall", group.wait(wallTimeout: .now() + .milliseconds(5)), .timedOut)
  go.increment()
  expect("forever", group.wait(timeout: .distantFuture), .success)
}

private func groupNotify() {
  let group = DispatchGroup()
  let queue = DispatchQueue(label: "serial")
  let ran = Count()
  let notified = Count()
  let early = Count()
  for _ in 0..<100 { DispatchQueue.global().async(group: group) { ran.increment() } }
  group.notify(queue: queue) {
    dispatchPrecondition(condition: .onQueue(queue))
    if ran.value != 100 { early.increment() }
    notified.increment()
  }
  group.notify(queue: queue, work: DispatchWorkItem { notified.increment() })
  notified.await(2)
  queue.sync {}
  expect("notified", notified.value, 2)
  expect("early", early.value, 0)
}

private func semaphoreResults() {
  let semaphore = DispatchSemaphore(value: 1)
  semaphore.wait()
  expect("now", semaphore.wait(timeout: .now()), .timedOut)
  let deadline = DispatchTime.now() + .milliseconds(10)
  expect("soon", semaphore.wait(timeout: deadline), .timedOut)
  expect("not early", DispatchTime.now() >= deadline)
  expect("wall", semaphore.wait(wallTimeout: .now() + .milliseconds(5)), .timedOut)
  expect("nobody woken", semaphore.signal(), 0)
  expect("free", semaphore.wait(timeout: .distantFuture), .success)
  semaphore.signal()
}

private func semaphoreThrottle() {
  let semaphore = DispatchSemaphore(value: 1)
  let total = Box(0)
  DispatchQueue.concurrentPerform(iterations: 1_000) { _ in
    semaphore.wait()
    total.value += 1
    semaphore.signal()
  }
  expect("total", total.value, 1_000)
}

private func itemPerform() {
  let ran = Count()
  let item = DispatchWorkItem { ran.increment() }
  expect("cancelled", item.isCancelled, false)
  item.perform()
  expect("ran", ran.value, 1)
  expect("wait", item.wait(timeout: .now()), .success)
}

private func itemWait() {
  let go = Count()
  let done = Count()
  let item = DispatchWorkItem {
    go.await(1)
    done.increment()
  }
  DispatchQueue(label: "serial").async(execute: item)
  expect("running", item.wait(timeout: .now() + .milliseconds(5)), .timedOut)
  go.increment()
  item.wait()
  expect("done", done.value, 1)
}

private func itemNotify() {
  let ran = Count()
  let notified = Count()
  let early = Count()
  let queue = DispatchQueue(label: "notified")
  let item = DispatchWorkItem { ran.increment() }
  item.notify(queue: queue) {
    dispatchPrecondition(condition: .onQueue(queue))
    if ran.value != 1 { early.increment() }
    notified.increment()
  }
  DispatchQueue.global().async(execute: item)
  notified.await(1)
  expect("ran", ran.value, 1)
  expect("early", early.value, 0)
}

private func itemCancel() {
  let queue = DispatchQueue(label: "serial")
  let ran = Count()
  let item = DispatchWorkItem { ran.increment() }
  queue.suspend()
  queue.async(execute: item)
  item.cancel()
  expect("cancelled", item.isCancelled)
  queue.resume()
  item.wait()
  queue.sync {}
  expect("ran", ran.value, 0)
}

private func itemsInTurn() {
  let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
  let ran = Count()
  var wrong = 0
  for round in 1...300 {
    let item = DispatchWorkItem(qos: .utility) { ran.increment() }
    queue.async(execute: item)
    item.wait()
    if ran.value != round { wrong += 1 }
  }
  expect("wrong", wrong, 0)
}

private func afterNotBefore() {
  let queue = DispatchQueue(label: "serial")
  let fired = Count()
  let early = Count()
  let deadline = DispatchTime.now() + .milliseconds(10)
  queue.asyncAfter(deadline: deadline) {
    if DispatchTime.now() < deadline { early.increment() }
    fired.increment()
  }
  queue.asyncAfter(deadline: deadline, execute: DispatchWorkItem { fired.increment() })
  queue.asyncAfter(wallDeadline: .now() + .milliseconds(10)) { fired.increment() }
  fired.await(3)
  expect("early", early.value, 0)
}

private func performEachOnce() {
  let marks = (0..<1_000).map { _ in Count() }
  DispatchQueue.concurrentPerform(iterations: 1_000) { marks[$0].increment() }
  expect("each once", marks.allSatisfy { $0.value == 1 })
  DispatchQueue.concurrentPerform(iterations: 20) { outer in
    DispatchQueue.concurrentPerform(iterations: 50) { marks[outer * 50 + $0].increment() }
  }
  expect("each twice", marks.allSatisfy { $0.value == 2 })
  DispatchQueue.concurrentPerform(iterations: 0) { marks[$0].increment() }
  expect("nothing", marks[0].value, 2)
}

private let initialisations = Count()
private let lazyValue: Int = {
  initialisations.increment()
  return DispatchQueue(label: "inside an initialiser").sync { 77 }
}()

private func lazyGlobal() {
  let right = Count()
  DispatchQueue.concurrentPerform(iterations: 100) { _ in
    if lazyValue == 77 { right.increment() }
  }
  expect("right", right.value, 100)
  expect("initialisations", initialisations.value, 1)
}

private func timerSource() {
  let queue = DispatchQueue(label: "serial")
  let ticks = Count()
  let cancelled = Count()
  let timer = DispatchSource.makeTimerSource(queue: queue)
  timer.schedule(deadline: .now(), repeating: .milliseconds(1))
  timer.setEventHandler {
    if ticks.increment() == 5 { timer.cancel() }
  }
  timer.setCancelHandler { cancelled.increment() }
  timer.activate()
  cancelled.await(1)
  queue.sync {}
  expect("ticks", ticks.value, 5)
}
