import Dispatch
import Foundation

/// Queues that keep two sections apart.
let queuePatterns: [Pattern] = [
  .exclusive("serial-sync", "DispatchQueue.sync") {
    let queue = DispatchQueue(label: "serial")
    return { body in queue.sync(execute: body) }
  },

  .exclusive("serial-async", "DispatchQueue.async") {
    let queue = DispatchQueue(label: "serial")
    return { body in queue.async(execute: body) }
  },

  .exclusive("serial-async-with-quality", "async(qos:flags:)") {
    let queue = DispatchQueue(label: "serial")
    return { body in queue.async(qos: .utility, flags: .enforceQoS, execute: body) }
  },

  .exclusive("serial-after", "asyncAfter") {
    let queue = DispatchQueue(label: "serial")
    return { body in queue.asyncAfter(deadline: .now() + .microseconds(100), execute: body) }
  },

  .exclusive("sync-and-async", "sync and async on one queue") {
    let queue = DispatchQueue(label: "serial")
    let turn = AtomicBox()
    return { body in
      let isEven = turn.value.add(1, ordering: .relaxed).oldValue % 2 == 0
      isEven ? queue.async(execute: body) : queue.sync(execute: body)
    }
  },

  .exclusive("target-queue", "two queues with one target") {
    let target = DispatchQueue(label: "target")
    let queues = [
      DispatchQueue(label: "one", target: target),
      DispatchQueue(label: "other", attributes: .concurrent, target: target),
    ]
    let turn = AtomicBox()
    return { body in
      queues[turn.value.add(1, ordering: .relaxed).oldValue % 2].async(execute: body)
    }
  },

  .exclusive("set-target", "setTarget(queue:)") {
    let target = DispatchQueue(label: "target")
    let queues = ["one", "other"].map {
      DispatchQueue(label: $0, attributes: .initiallyInactive)
    }
    for queue in queues {
      queue.setTarget(queue: target)
      queue.activate()
    }
    let turn = AtomicBox()
    return { body in
      queues[turn.value.add(1, ordering: .relaxed).oldValue % 2].sync(execute: body)
    }
  },

  .exclusive("main-queue", "DispatchQueue.main") {
    { body in DispatchQueue.main.async(execute: body) }
  },

  .exclusive("dispatch-semaphore-as-lock", "DispatchSemaphore(value: 1)") {
    let semaphore = DispatchSemaphore(value: 1)
    return { body in
      semaphore.wait()
      body()
      semaphore.signal()
    }
  },
]

/// Barriers on a concurrent queue, in every form that asks for one.
let barrierPatterns: [Pattern] =
  [
    .barrier("barrier-sync", "sync(flags: .barrier)") { $0.sync(flags: .barrier, execute: $1) },

    .barrier("barrier-async", "async(flags: .barrier)") { $0.async(flags: .barrier, execute: $1) },

    .barrier("barrier-async-group", "async(group:flags: .barrier)") {
      $0.async(group: DispatchGroup(), flags: .barrier, execute: $1)
    }.needing(.gate),

    .barrier("barrier-async-quality", "async(qos:flags: .barrier)") {
      $0.async(qos: .utility, flags: .barrier, execute: $1)
    }.needing(.gate),

    .barrier("barrier-async-flags", "async(flags: [.barrier, .enforceQoS])") {
      $0.async(flags: [.barrier, .enforceQoS], execute: $1)
    }.needing(.gate),

    .barrier("barrier-item-async", "async(execute:) of a barrier item") {
      $0.async(execute: DispatchWorkItem(flags: .barrier, block: $1))
    }.needing(.gate),

    .barrier("barrier-item-group", "async(group:execute:) of a barrier item") {
      $0.async(group: DispatchGroup(), execute: DispatchWorkItem(flags: .barrier, block: $1))
    }.needing(.gate),

    .barrier("barrier-item-sync", "sync(execute:) of a barrier item") {
      $0.sync(execute: DispatchWorkItem(flags: .barrier, block: $1))
    }.needing(.gate),

    .barrier("barrier-group-notify", "group.notify(flags: .barrier)") { queue, body in
      let group = DispatchGroup()
      group.enter()
      group.notify(flags: .barrier, queue: queue, execute: body)
      group.leave()
    }.needing(.gate),

    .barrier("barrier-item-notify", "notify(queue:execute:) of a barrier item") { queue, body in
      let first = DispatchWorkItem {}
      first.notify(queue: queue, execute: DispatchWorkItem(flags: .barrier, block: body))
      DispatchQueue.global().async(execute: first)
    }.needing(.gate),
  ] + barrierReaders

/// Blocks beside the barrier read and may overlap each other; none may overlap the barrier.
private let barrierReaders: [Pattern] = [
  .readers("barrier-readers", "async, async(flags: .barrier)") {
    $0.async(flags: .barrier, execute: $1)
  },
  .readers("barrier-item-readers", "async, async(execute:) of a barrier item") {
    $0.async(execute: DispatchWorkItem(flags: .barrier, block: $1))
  }.needing(.gate),
  .readers("barrier-sync-readers", "async, sync(flags: .barrier)") {
    $0.sync(flags: .barrier, execute: $1)
  },
]

extension Pattern {
  fileprivate typealias Submit =
    @Sendable (DispatchQueue, @escaping @Sendable () -> Void) -> Void

  fileprivate static func barrier(_ id: String, _ uses: String, _ submit: @escaping Submit)
    -> Pattern
  {
    exclusive(id, uses) {
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      return { body in submit(queue, body) }
    }
  }

  /// Half: what ought to be a barrier is an ordinary block.
  fileprivate static func readers(_ id: String, _ uses: String, _ submit: @escaping Submit)
    -> Pattern
  {
    .threads(id, uses) { trial in
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let repeats = trial.isCorrect ? 5 : 1
      let write: @Sendable () -> Void = {
        trial.write()
        trial.end()
      }
      for _ in 0..<repeats {
        queue.async {
          trial.read()
          trial.end()
        }
        if trial.isCorrect { submit(queue, write) } else { queue.async(execute: write) }
      }
      trial.wait(for: 2 * repeats)
    }
  }
}
