import Dispatch
import Foundation

let operationPatterns: [Pattern] = [
  .exclusive("operation-queue-serial", "OperationQueue, one at a time") {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return { body in queue.addOperation(body) }
  },

  .exclusive("operation-barrier", "OperationQueue.addBarrierBlock") {
    let queue = OperationQueue()
    return { body in queue.addBarrierBlock(body) }
  },

  .exclusive("operation-underlying-queue", "OperationQueue.underlyingQueue") {
    let queue = OperationQueue()
    // The operation queue does not keep it.
    let underlying = DispatchQueue(label: "serial")
    queue.underlyingQueue = underlying
    return { body in
      queue.addOperation {
        withExtendedLifetime(underlying, body)
      }
    }
  },

  .exclusive("operation-main-queue", "OperationQueue.main") {
    { body in OperationQueue.main.addOperation(body) }
  },

  .submission("operation-add", "OperationQueue.addOperation") { work in
    OperationQueue().addOperation(work)
  },

  .sequence("operation-dependency", "Operation.addDependency") { first, then, ordered in
    let queue = OperationQueue()
    let operations = [BlockOperation(block: first), BlockOperation(block: then)]
    if ordered { operations[1].addDependency(operations[0]) }
    queue.addOperations(operations, waitUntilFinished: false)
  },

  .sequence("operation-dependency-queues", "a dependency between queues") { first, then, ordered in
    let operations = [BlockOperation(block: first), BlockOperation(block: then)]
    if ordered { operations[1].addDependency(operations[0]) }
    OperationQueue().addOperation(operations[1])
    OperationQueue().addOperation(operations[0])
  },

  .sequence("operation-completion", "Operation.completionBlock") { first, then, ordered in
    let operation = BlockOperation(block: first)
    let other = BlockOperation {}
    (ordered ? operation : other).completionBlock = then
    OperationQueue().addOperations([operation, other], waitUntilFinished: false)
  },

  .completion("operation-wait", "Operation.waitUntilFinished") { work in
    let operation = BlockOperation(block: work)
    OperationQueue().addOperation(operation)
    return { operation.waitUntilFinished() }
  },

  .completion("operation-queue-wait", "waitUntilAllOperationsAreFinished") { work in
    let queue = OperationQueue()
    queue.addOperation(work)
    return { queue.waitUntilAllOperationsAreFinished() }
  },

  .threads("operation-suspended", "OperationQueue.isSuspended") { trial in
    let queue = OperationQueue()
    queue.isSuspended = true
    queue.addOperation {
      trial.write()
      trial.end()
    }
    if trial.isCorrect { trial.write() }
    queue.isSuspended = false
    if !trial.isCorrect { trial.write() }
    trial.wait()
  },
]
