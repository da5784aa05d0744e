import Dispatch

/// Captured objects: each one's `deinit` runs once, and before what libdispatch says is over.
let lifetimeCases = [
  Case("lifetime.group", body: releasedBeforeGroupWait),
  Case("lifetime.serial", body: releasedBeforeNextBlock),
  Case("lifetime.sync", body: releasedAfterSync),
  Case("lifetime.item-never-run", body: itemNeverRun),
  Case("lifetime.cancelled-item", body: cancelledItem),
  Case("lifetime.item-run-twice", body: itemRunTwice),
  Case("lifetime.after", body: afterReleases),
  Case("lifetime.notify", body: notifyReleases),
  Case("lifetime.perform", body: performReleases),
  Case("lifetime.barrier", body: barrierReleases),
  Case("lifetime.queue-in-block", body: queueInBlock),
]

private func releasedBeforeGroupWait() {
  let deaths = Count()
  let group = DispatchGroup()
  let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
  var late = 0
  for round in 1...1_000 {
    let mortal = Mortal(deaths)
    queue.async(group: group) { [mortal] in mortal.touch() }
    _ = consume mortal
    group.wait()
    if deaths.value != round { late += 1 }
  }
  expect("late", late, 0)
  expect("deaths", deaths.value, 1_000)
}

private func releasedBeforeNextBlock() {
  let deaths = Count()
  let queue = DispatchQueue(label: "serial")
  var late = 0
  for round in 1...1_000 {
    let mortal = Mortal(deaths)
    queue.async { [mortal] in mortal.touch() }
    _ = consume mortal
    queue.sync { if deaths.value != round { late += 1 } }
  }
  expect("late", late, 0)
}

private func releasedAfterSync() {
  let deaths = Count()
  let queue = DispatchQueue(label: "serial")
  for round in 1...100 {
    let mortal = Mortal(deaths)
    let same = queue.sync { mortal }
    expect("alive", deaths.value, round - 1)
    _ = consume mortal
    _ = consume same
    expect("dead", deaths.value, round)
    if round == 3 { break }
  }
}

private func itemNeverRun() {
  let deaths = Count()
  do {
    let mortal = Mortal(deaths)
    let item = DispatchWorkItem { [mortal] in mortal.touch() }
    expect("cancelled", item.isCancelled, false)
    expect("alive", deaths.value, 0)
  }
  expect("deaths", deaths.value, 1)
}

private func cancelledItem() {
  let deaths = Count()
  let queue = DispatchQueue(label: "serial")
  do {
    let mortal = Mortal(deaths)
    let item = DispatchWorkItem { [mortal] in mortal.touch() }
    item.cancel()
    queue.async(execute: item)
  }
  queue.sync {}
  expect("deaths", deaths.value, 1)
}

private func itemRunTwice() {
  let deaths = Count()
  let runs = Count()
  let queue = DispatchQueue(label: "serial")
  do {
    let mortal = Mortal(deaths)
    let work: @Sendable () -> Void = { [mortal] in
      mortal.touch()
      runs.increment()
    }
    queue.async(execute: work)
    queue.async(execute: work)
  }
  queue.sync {}
  expect("runs", runs.value, 2)
  expect("deaths", deaths.value, 1)
}

private func afterReleases() {
  let deaths = Count()
  let queue = DispatchQueue(label: "serial")
  do {
    let mortal = Mortal(deaths)
    queue.asyncAfter(deadline: .now() + .milliseconds(1)) { [mortal] in mortal.touch() }
  }
  deaths.await(1)
  queue.sync {}
  expect("deaths", deaths.value, 1)
}

private func notifyReleases() {
  let deaths = Count()
  let group = DispatchGroup()
  let queue = DispatchQueue(label: "serial")
  do {
    let mortal = Mortal(deaths)
    group.notify(queue: queue) { [mortal] in mortal.touch() }
  }
  deaths.await(1)
  queue.sync {}
  expect("deaths", deaths.value, 1)
}

private func performReleases() {
  let deaths = Count()
  do {
    let mortal = Mortal(deaths)
    DispatchQueue.concurrentPerform(iterations: 100) { _ in mortal.touch() }
    expect("alive", deaths.value, 0)
  }
  expect("deaths", deaths.value, 1)
}

private func barrierReleases() {
  let deaths = Count()
  let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
  for _ in 0..<200 {
    let mortal = Mortal(deaths)
    queue.async { [mortal] in mortal.touch() }
    queue.async(flags: .barrier) { [mortal] in mortal.touch() }
  }
  queue.sync(flags: .barrier) {}
  deaths.await(200)
  expect("deaths", deaths.value, 200)
}

/// The block holds the last reference to the queue that it runs on.
private func queueInBlock() {
  let deaths = Count()
  for _ in 0..<200 {
    let mortal = Mortal(deaths)
    let queue = DispatchQueue(label: "short-lived")
    queue.async { [queue, mortal] in
      dispatchPrecondition(condition: .onQueue(queue))
      mortal.touch()
    }
  }
  deaths.await(200)
  expect("deaths", deaths.value, 200)
}
