import CThreadmillConformance

/// Tasks, groups, actors and cancellation, inside an asynchronous `main`.
let taskCases = [
  AsyncCase("task.value", body: taskValue),
  AsyncCase("task.group", body: taskGroup),
  AsyncCase("task.group-throws", body: groupThrows),
  AsyncCase("task.async-let", body: asyncLet),
  AsyncCase("task.actor", body: actorCounts),
  AsyncCase("task.global-actor", body: globalActorCounts),
  AsyncCase("task.thousand", body: thousandTasks),
  AsyncCase("task.yield", body: yieldInTurn),
  AsyncCase("task.local-values", body: localValues),
  AsyncCase("task.priority", body: priorities),
  AsyncCase("task.sleep", body: sleepNotShorter),
  AsyncCase("task.sleep-cancelled", body: sleepCancelled),
  AsyncCase("task.cancellation", body: cancellation),
  AsyncCase("task.cancellation-handler", body: cancellationHandler),
  AsyncCase("task.lifetime", body: taskLifetime),
]

private func taskValue() async {
  expect("value", await Task { 5 }.value, 5)
  expect("detached", await Task.detached { "five" }.value, "five")
  let failing = Task { () throws -> Int in throw Failure(code: 5) }
  do {
    expect("thrown", try await failing.value, 0)
  } catch {
    expect("error", error as? Failure, Failure(code: 5))
  }
}

private func taskGroup() async {
  let total = await withTaskGroup(of: Int.self) { group in
    for index in 1...200 { group.addTask { index } }
    return await group.reduce(0, +)
  }
  expect("total", total, 20_100)
  let ran = Count()
  await withDiscardingTaskGroup { group in
    for _ in 0..<200 { group.addTask { ran.increment() } }
  }
  expect("ran", ran.value, 200)
}

/// The first error ends the group and cancels what is left of it.
private func groupThrows() async {
  let cancelled = Count()
  do {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while !Task.isCancelled { await Task.yield() }
        cancelled.increment()
      }
      group.addTask { throw Failure(code: 6) }
      for try await _ in group {}
    }
    expect("thrown", false)
  } catch {
    expect("error", error as? Failure, Failure(code: 6))
  }
  expect("cancelled", cancelled.value, 1)
}

private func asyncLet() async {
  async let first = Task { 1 }.value
  async let second = Task.detached { 2 }.value
  expect("sum", await first + second, 3)
}

private actor Tally {
  private var count = 0
  func add() { count += 1 }
  var total: Int { count }
}

private func actorCounts() async {
  let tally = Tally()
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<8 {
      group.addTask { for _ in 0..<500 { await tally.add() } }
    }
  }
  expect("total", await tally.total, 4_000)
}

@globalActor private actor Ledger {
  static let shared = Ledger()
}

@Ledger private var ledgerTotal = 0

@Ledger private func book() -> Int {
  ledgerTotal += 1
  return ledgerTotal
}

private func globalActorCounts() async {
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<4 {
      group.addTask { for _ in 0..<250 { _ = await book() } }
    }
  }
  expect("total", await book(), 1_001)
}

private func thousandTasks() async {
  let tasks = (0..<1_000).map { index in Task { index * 2 } }
  var wrong = 0
  for (index, task) in tasks.enumerated() where await task.value != index * 2 { wrong += 1 }
  expect("wrong", wrong, 0)
}

private func yieldInTurn() async {
  let steps = Count()
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<4 {
      group.addTask {
        for _ in 0..<500 {
          steps.increment()
          await Task.yield()
        }
      }
    }
  }
  expect("steps", steps.value, 2_000)
}

private enum Context {
  @TaskLocal static var name = "none"
}

private func localValues() async {
  expect("outside", Context.name, "none")
  await Context.$name.withValue("bound") {
    expect("inside", Context.name, "bound")
    expect("child", await Task { Context.name }.value, "bound")
    expect("detached", await Task.detached { Context.name }.value, "none")
  }
  expect("after", Context.name, "none")
}

private func priorities() async {
  let low = Task(priority: .background) { Task.currentPriority == .background }
  let high = Task.detached(priority: .high) { Task.currentPriority == .high }
  expect("high", await high.value)
  _ = await low.value
  expect("base", await Task.detached(priority: .utility) { Task.basePriority }.value, .utility)
}

private func sleepNotShorter() async {
  let clock = ContinuousClock()
  let deadline = clock.now + .milliseconds(5)
  try? await Task.sleep(until: deadline, clock: clock)
  expect("until", clock.now >= deadline)
  let start = clock.now
  try? await Task.sleep(for: .milliseconds(5))
  expect("for", clock.now - start >= .milliseconds(5))
}

private func sleepCancelled() async {
  let sleeper = Task { try await Task.sleep(for: .seconds(3_600)) }
  sleeper.cancel()
  do {
    try await sleeper.value
    expect("thrown", false)
  } catch {
    expect("error", error is CancellationError)
  }
}

private func cancellation() async {
  let started = Count()
  let task = Task {
    let child = Task { Task.isCancelled }
    started.increment()
    while !Task.isCancelled { await Task.yield() }
    async let inherited = Task.isCancelled
    return [Task.isCancelled, await inherited, await child.value]
  }
  while started.value == 0 { await Task.yield() }
  expect("before", task.isCancelled, false)
  task.cancel()
  expect("seen", await task.value, [true, true, false])
  do {
    try await Task { try Task.checkCancellation() }.value
    expect("unaffected", true)
  } catch {
    expect("unaffected", false)
  }
}

private func cancellationHandler() async {
  let called = Count()
  let started = Count()
  let task = Task {
    await withTaskCancellationHandler {
      started.increment()
      while called.value == 0 { await Task.yield() }
      return called.value
    } onCancel: {
      called.increment()
    }
  }
  while started.value == 0 { await Task.yield() }
  task.cancel()
  task.cancel()
  expect("in time", await task.value, 1)
  expect("called", called.value, 1)
}

private func taskLifetime() async {
  let deaths = Count()
  for _ in 0..<200 {
    let mortal = Mortal(deaths)
    await Task { [mortal] in mortal.touch() }.value
  }
  while deaths.value < 200 { await Task.yield() }
  expect("deaths", deaths.value, 200)
}
