import Foundation

/// Somebody waits for an operation that waits for another one, and so on; at the end of each way
/// stands one that cannot finish.
@Sendable func neverFinish() {
  let parcel = Chore("parcel")
  let (wrapping, writing) = (Chore("wrapping"), Chore("writing"))
  let (folding, nowhere) = (Endless(), Chore("forgotten"))
  parcel.addDependency(wrapping)
  parcel.addDependency(writing)
  wrapping.addDependency(folding)
  writing.addDependency(nowhere)
  let queue = OperationQueue()
  for operation in [parcel, wrapping, writing, folding] { queue.addOperation(operation) }
  Thread.detachNewThread { sendOff(parcel) }

  let (closed, running) = (OperationQueue(), OperationQueue())
  closed.isSuspended = true
  let held = Chore("held")
  closed.addOperation(held)
  let packing = BlockOperation { sendOff(held) }
  packing.name = "packing"
  running.addOperation(packing)
  Thread.detachNewThread { sendOff(packing) }
  dispatchMain()
}

@inline(never) func sendOff(_ operation: Operation) { operation.waitUntilFinished() }

final class Chore: Operation, @unchecked Sendable {
  init(_ name: String) {
    super.init()
    self.name = name
  }
}

/// Begins, and never says that it is finished.
final class Endless: Operation, @unchecked Sendable {
  override var isAsynchronous: Bool { true }
  override var isFinished: Bool { false }
  override func start() {}
}
