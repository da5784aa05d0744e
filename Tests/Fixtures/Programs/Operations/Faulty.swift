import Foundation

/// Each has one fault. Some end, some trap, and some hang until they are stopped.
let faultyCases: [String: @Sendable () -> Void] = [
  "long-ring": {
    let ring = steps(12)
    for (one, next) in zip(ring, ring.dropFirst()) { one.addDependency(next) }
    ring[11].addDependency(ring[0])
  },
  "ring-closed-by-two-threads": {
    let ring = steps(2)
    ring[0].addDependency(ring[1])
    let closer = Thread { ring[1].addDependency(ring[0]) }
    closer.start()
    while !closer.isFinished { Thread.sleep(forTimeInterval: 0.001) }
  },
  "ring-after-a-broken-one": {
    let ring = steps(4)
    ring[0].addDependency(ring[1])
    ring[1].addDependency(ring[3])
    ring[0].addDependency(ring[2])
    ring[2].addDependency(ring[3])
    ring[1].cancel()
    ring[3].addDependency(ring[0])
  },
  "on-itself": {
    let step = Step("alone")
    step.addDependency(step)
  },
  "waits-for-its-follower": {
    let queue = OperationQueue()
    let follower = Step("follower")
    let between = Step("between")
    let leader = BlockOperation { follower.waitUntilFinished() }
    leader.name = "leader"
    between.addDependency(leader)
    follower.addDependency(between)
    queue.addOperations([leader, between, follower], waitUntilFinished: true)
  },
  "waits-in-a-narrow-queue": {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.addOperation { queue.addOperations([Step("inner")], waitUntilFinished: true) }
    queue.waitUntilAllOperationsAreFinished()
  },
  "main-waits-for-main": {
    OperationQueue.main.addOperations([Step("shown")], waitUntilFinished: true)
  },
  "started-while-executing": {
    let running = BlockOperation()
    running.name = "running"
    running.addExecutionBlock { running.start() }
    running.start()
  },
]
