import ThreadmillModel

/// The reason why an operation that waits for no other one has not finished.
enum OperationDelay {
  /// The operation is in no queue, and no thread has started it.
  case notStarted
  case queueSuspended
  /// Other operations of its queue come first.
  case queued
  /// The queue lets the operation start. Whether it has begun is not known.
  case handedOver
  /// The operation began, no thread is in it, and it does not say that it is finished.
  case notSaid

  /// - Parameter state: `nil` is an unknown state, which counts as one after the start.
  init(of state: OperationState?, in queue: Standstill.Fact.Queue) {
    switch state {
    case .initialized, .enqueuing, .enqueued:
      switch queue {
      case .none: self = .notStarted
      case .suspended: self = .queueSuspended
      case .active: self = .queued
      }
    case .dispatching: self = .handedOver
    case .starting, .executing, .finishing, .finished, nil: self = .notSaid
    }
  }

  var words: String {
    switch self {
    case .notStarted: "is in no queue, and nobody has started it"
    case .queueSuspended: "is in a queue that is suspended"
    case .queued: "waits for its turn in its queue"
    case .handedOver: "may start, and is not finished"
    case .notSaid: "has begun, no thread is in it, and it does not say that it is finished"
    }
  }
}
