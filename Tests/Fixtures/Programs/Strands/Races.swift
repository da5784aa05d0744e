import Foundation

/// Two blocks or tasks that nothing orders. Each case runs one of them after the other, on one
/// thread if the machine has no second one to spare.
let raceCases: [String: @Sendable () -> Void] = [
  "raceBlocks": {
    let box = Box()
    let queue = DispatchQueue(label: "blocks", attributes: .concurrent)
    let group = DispatchGroup()
    for _ in 0..<2 {
      queue.async(group: group) {
        for _ in 0..<100 {
          box.n += 1
          usleep(100)
        }
      }
    }
    group.wait()
  },
  "raceSerialQueues": {
    let box = Box()
    let group = DispatchGroup()
    for name in ["one", "two"] {
      DispatchQueue(label: name).async(group: group) { box.n += 1 }
    }
    group.wait()
  },
  "raceGlobalQueues": {
    let box = Box()
    let group = DispatchGroup()
    DispatchQueue.global(qos: .utility).async(group: group) { box.n += 1 }
    DispatchQueue.global(qos: .userInitiated).async(group: group) { box.n += 1 }
    group.wait()
  },
  "raceIterations": {
    let box = Box()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in box.n += 1 }
  },
  "raceOperations": {
    let box = Box()
    let queue = OperationQueue()
    for _ in 0..<2 { queue.addOperation { box.n += 1 } }
    queue.waitUntilAllOperationsAreFinished()
  },
  // The second operation is added when the first one has long ended.
  "raceOperationsInTurn": {
    let box = Box()
    let queue = OperationQueue()
    queue.addOperation { box.n += 1 }
    usleep(20_000)
    queue.addOperation { box.n += 1 }
    queue.waitUntilAllOperationsAreFinished()
  },
  // The end of the first operation starts the third one.
  "raceOperationsTwoAtATime": {
    let box = Box()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    queue.addOperation { usleep(40_000) }
    queue.addOperation { box.n += 1 }
    queue.addOperation { box.n += 1 }
    queue.waitUntilAllOperationsAreFinished()
  },
  // The main thread has seen the end of the first, and asks for the state of the second.
  "raceOperationsAskedFor": {
    let box = Box()
    let queue = OperationQueue()
    let first = BlockOperation { box.n += 1 }
    let second = BlockOperation { box.n += 1 }
    let other = BlockOperation { usleep(10_000) }
    second.addDependency(other)
    queue.addOperations([first, second, other], waitUntilFinished: false)
    first.waitUntilFinished()
    while !second.isFinished { usleep(1_000) }
  },
  "raceOperationAndItsAdder": {
    let box = Box()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.addOperation { box.n += 1 }
    usleep(20_000)
    queue.addOperation {}
    box.n += 1
    queue.waitUntilAllOperationsAreFinished()
  },
  "raceAsynchronousOperations": {
    let box = Box()
    let queue = OperationQueue()
    for _ in 0..<2 {
      queue.addOperation(Asynchronous(after: 1_000) { box.n += 1 })
      usleep(20_000)
    }
    queue.waitUntilAllOperationsAreFinished()
  },
  "raceTimerAndBlock": {
    let box = Box()
    let group = DispatchGroup()
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
    group.enter()
    timer.setEventHandler {
      box.n += 1
      timer.cancel()
      group.leave()
    }
    timer.schedule(deadline: .now() + .milliseconds(5))
    timer.activate()
    DispatchQueue(label: "block").async(group: group) { box.n += 1 }
    group.wait()
  },
  "raceDelayedBlocks": {
    let box = Box()
    let group = DispatchGroup()
    for delay in [1, 20] {
      group.enter()
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) {
        box.n += 1
        group.leave()
      }
    }
    group.wait()
  },
  "raceCompletionHandler": {
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    DispatchQueue(label: "loader").async {
      box.n += 1
      done.signal()
    }
    usleep(20_000)
    box.n += 1
    done.wait()
  },
  "raceWorkItems": {
    let box = Box()
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "items", attributes: .concurrent)
    for _ in 0..<2 { queue.async(group: group, execute: DispatchWorkItem { box.n += 1 }) }
    group.wait()
  },
  // The last reference to an item goes after its end, by which it is ordered for nobody.
  "raceWorkItemsLetGo": {
    let box = Box()
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "items", attributes: .concurrent)
    for _ in 0..<2 {
      let item = DispatchWorkItem { box.n += 1 }
      queue.async(group: group, execute: item)
      usleep(20_000)
    }
    group.wait()
  },
  "raceReaderAndBarrierlessWriter": {
    let box = Box()
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "values", attributes: .concurrent)
    queue.async(group: group, flags: .barrier) { box.n = 1 }
    queue.async(group: group) { precondition(box.n > 0) }
    queue.async(group: group) { box.n += 1 }
    group.wait()
  },
  "raceTasks": {
    let box = Box()
    blocking {
      let one = Task { box.n += 1 }
      let two = Task { box.n += 1 }
      await one.value
      await two.value
    }
  },
  "raceChildTasks": {
    let box = Box()
    blocking {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 { group.addTask { box.n += 1 } }
      }
    }
  },
  "raceAsyncLet": {
    let box = Box()
    @Sendable func add() async { box.n += 1 }
    blocking {
      async let one: Void = add()
      async let two: Void = add()
      _ = await (one, two)
    }
  },
  "raceTaskAndBlock": {
    let box = Box()
    let group = DispatchGroup()
    group.enter()
    Task {
      box.n += 1
      group.leave()
    }
    DispatchQueue.global().async(group: group) { box.n += 1 }
    group.wait()
  },
  "raceActors": {
    actor Counter {
      func add(_ box: Box) { box.n += 1 }
    }
    let box = Box()
    blocking {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          let counter = Counter()
          group.addTask { await counter.add(box) }
        }
      }
    }
  },
]
