import CThreadmillConformance
import Dispatch
import Foundation

/// Queues through the Swift overlay: what comes back, in which order, on which queue.
let queueCases = [
  Case("swift-sync.returns-value", body: syncReturnsValue),
  Case("swift-sync.rethrows", body: syncRethrows),
  Case("swift-sync.mutates-locals", body: syncMutatesLocals),
  Case("swift-sync.own-queue", ends: trap, body: syncOwnQueue),
  Case("swift-sync.trap-inside", ends: trap, body: trapInside),
  Case("swift-async.order", body: asyncOrder),
  Case(
    "swift-async.barrier", unlikeTSan: "it loses the barriers of work items", body: asyncBarrier),
  Case("swift-queue.preconditions", body: preconditions),
  Case("swift-queue.specifics", body: specifics),
  Case("swift-queue.targets", body: targets),
  Case("swift-queue.suspension", body: suspension),
  Case("swift-queue.activation", body: activation),
  Case("swift-queue.qos", body: qualityOfService),
]

private func syncReturnsValue() {
  let queue = DispatchQueue(label: "serial")
  expect("Int", queue.sync { 42 }, 42)
  expect("String", queue.sync { "a longer string, to be kept on the heap" }.count, 39)
  expect("Optional", queue.sync { Int?.none }, nil)
  expect("array", queue.sync { Array(0..<100) }, Array(0..<100))
  let pair = queue.sync { (1, "two") }
  expect("tuple", pair == (1, "two"))
  expect("nested", queue.sync { DispatchQueue(label: "other").sync { 7 } + 1 }, 8)
  expect(
    "barrier", DispatchQueue(label: "c", attributes: .concurrent).sync(flags: .barrier) { 9 }, 9)
}

private func syncRethrows() {
  let queue = DispatchQueue(label: "serial")
  for flags: DispatchWorkItemFlags in [[], .barrier] {
    do {
      try queue.sync(flags: flags) { throw Failure(code: 3) }
      expect("thrown", false)
    } catch {
      expect("error", error as? Failure, Failure(code: 3))
    }
  }
  expect("usable", queue.sync { true })
}

private func syncMutatesLocals() {
  let queue = DispatchQueue(label: "serial")
  var total = 0
  for index in 1...100 { queue.sync { total += index } }
  expect("total", total, 5050)
}

/// libdispatch stops a program that waits for itself.
private func syncOwnQueue() {
  let queue = DispatchQueue(label: "serial")
  queue.sync { queue.sync {} }
}

private func trapInside() {
  DispatchQueue(label: "serial").sync { preconditionFailure("on purpose") }
}

private func asyncOrder() {
  let queue = DispatchQueue(label: "serial")
  let seen = Box<[Int]>([])
  for index in 0..<1_000 {
    if index.isMultiple(of: 3) {
      queue.async(execute: DispatchWorkItem { seen.value.append(index) })
    } else if index.isMultiple(of: 10) {
      queue.sync { seen.value.append(index) }
    } else {
      queue.async { seen.value.append(index) }
    }
  }
  expect("in order", queue.sync { seen.value } == Array(0..<1_000))
}

private func asyncBarrier() {
  let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
  let group = DispatchGroup()
  let exclusion = Exclusion()
  for index in 0..<600 {
    queue.async { exclusion.enterShared() }
    if index.isMultiple(of: 6) { queue.async(flags: .barrier) { exclusion.enterExclusive() } }
    if index.isMultiple(of: 30) {
      queue.async(group: group, flags: .barrier) { exclusion.enterExclusive() }
      queue.async(execute: DispatchWorkItem(flags: .barrier) { exclusion.enterExclusive() })
      queue.sync(flags: .barrier) { exclusion.enterExclusive() }
    }
  }
  queue.sync(flags: .barrier) {}
  expect("entries", exclusion.entries.value, 600 + 100 + 3 * 20)
  expect("intrusions", exclusion.intrusions.value, 0)
}

/// A failed precondition ends the process.
private func preconditions() {
  let outer = DispatchQueue(label: "outer", attributes: .concurrent)
  let inner = DispatchQueue(label: "inner", target: outer)
  let other = DispatchQueue(label: "other")
  let passed = Count()
  let check: @Sendable () -> Void = {
    dispatchPrecondition(condition: .onQueue(inner))
    dispatchPrecondition(condition: .onQueue(outer))
    dispatchPrecondition(condition: .notOnQueue(other))
    passed.increment()
  }
  dispatchPrecondition(condition: .notOnQueue(inner))
  inner.sync(execute: check)
  inner.sync(flags: .barrier, execute: check)
  inner.sync(execute: DispatchWorkItem(block: check))
  inner.async(execute: check)
  inner.async(execute: DispatchWorkItem(block: check))
  inner.asyncAfter(deadline: .now(), execute: check)
  inner.sync {}
  outer.sync(flags: .barrier) { dispatchPrecondition(condition: .onQueueAsBarrier(outer)) }
  DispatchQueue(label: "third").sync { inner.sync(execute: check) }
  expect("passed", passed.value, 7)
}

private func specifics() {
  let outerKey = DispatchSpecificKey<Int>()
  let innerKey = DispatchSpecificKey<String>()
  let outer = DispatchQueue(label: "outer")
  let inner = DispatchQueue(label: "inner", target: outer)
  outer.setSpecific(key: outerKey, value: 1)
  inner.setSpecific(key: innerKey, value: "one")
  expect("outside", DispatchQueue.getSpecific(key: innerKey), nil)
  expect("sync", inner.sync { DispatchQueue.getSpecific(key: innerKey) }, "one")
  expect("sync, target", inner.sync { DispatchQueue.getSpecific(key: outerKey) }, 1)
  expect("sync, outer", outer.sync { DispatchQueue.getSpecific(key: innerKey) }, nil)
  let seen = Box<Int?>(nil)
  inner.async { seen.value = DispatchQueue.getSpecific(key: outerKey) }
  inner.sync {}
  expect("async, target", seen.value, 1)
  inner.setSpecific(key: innerKey, value: nil)
  expect("removed", inner.sync { DispatchQueue.getSpecific(key: innerKey) }, nil)
}

private func targets() {
  let target = DispatchQueue(label: "target")
  let queues = (0..<4).map { index in
    DispatchQueue(label: "q\(index)", attributes: [.concurrent, .initiallyInactive])
  }
  let total = Box(0)
  for queue in queues {
    queue.setTarget(queue: target)
    queue.activate()
  }
  for index in 0..<2_000 { queues[index % 4].async { total.value += 1 } }
  for queue in queues { queue.sync(flags: .barrier) {} }
  expect("total", total.value, 2_000)
}

private func suspension() {
  let queue = DispatchQueue(label: "serial")
  let ran = Count()
  queue.suspend()
  for _ in 0..<10 { queue.async { ran.increment() } }
  expect("suspended", ran.value, 0)
  queue.resume()
  queue.sync {}
  expect("resumed", ran.value, 10)
}

private func activation() {
  let queue = DispatchQueue(label: "inactive", attributes: .initiallyInactive)
  let ran = Count()
  queue.async { ran.increment() }
  expect("inactive", ran.value, 0)
  queue.activate()
  queue.sync {}
  expect("active", ran.value, 1)
}

private func qualityOfService() {
  let queue = DispatchQueue(label: "utility", qos: .utility)
  expect("queue", queue.qos.qosClass, .utility)
  expect("global", DispatchQueue.global(qos: .background).qos.qosClass, .background)
  let seen = Box<[Int]>([])
  let look: @Sendable () -> Void = { seen.value.append(Thread.current.qualityOfService.rawValue) }
  queue.async(execute: look)
  queue.async(qos: .userInitiated, execute: look)
  queue.async(execute: DispatchWorkItem(qos: .background, block: look))
  queue.sync(execute: look)
  expect("inside blocks", seen.value, Array(repeating: QualityOfService.default.rawValue, count: 4))
}
