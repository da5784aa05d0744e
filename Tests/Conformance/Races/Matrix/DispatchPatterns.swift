import Dispatch
import Foundation

/// What Dispatch passes on from one place to another, work items aside.
let dispatchPatterns: [Pattern] = [
  .handOver("dispatch-semaphore", "DispatchSemaphore.signal, wait") {
    let semaphore = DispatchSemaphore(value: 0)
    return ({ semaphore.signal() }, { semaphore.wait() })
  },

  .handOver("group-leave", "DispatchGroup.leave, wait") {
    let group = DispatchGroup()
    group.enter()
    return ({ group.leave() }, { group.wait() })
  },

  .submission("queue-async", "DispatchQueue.async") { work in
    DispatchQueue(label: "serial").async(execute: work)
  },

  .submission("queue-after", "asyncAfter") { work in
    DispatchQueue(label: "serial").asyncAfter(
      deadline: .now() + .milliseconds(1), execute: work)
  },

  .submission("group-async", "async(group:)") { work in
    DispatchQueue.global().async(group: DispatchGroup(), execute: work)
  },

  .submission("queue-activate", "activate()") { work in
    let queue = DispatchQueue(label: "inactive", attributes: .initiallyInactive)
    queue.async(execute: work)
    queue.activate()
  },

  .threads("queue-resume", "suspend(), resume()") { trial in
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    queue.async {
      trial.write()
      trial.end()
    }
    if trial.isCorrect { trial.write() }
    queue.resume()
    if !trial.isCorrect { trial.write() }
    trial.wait()
  },

  .completion("group-wait", "async(group:), DispatchGroup.wait") { work in
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group, execute: work)
    return { group.wait() }
  },

  .completion("queue-flush", "async, then sync on a serial queue") { work in
    let queue = DispatchQueue(label: "serial")
    queue.async(execute: work)
    return { queue.sync {} }
  },

  .completion("barrier-flush", "async, then sync(flags: .barrier)") { work in
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    queue.async(execute: work)
    return { queue.sync(flags: .barrier) {} }
  },

  .sequence("group-notify", "DispatchGroup.notify") { first, then, ordered in
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "serial")
    DispatchQueue.global().async(group: ordered ? group : nil, execute: first)
    group.notify(queue: queue, execute: then)
  },

  .sequence("group-notify-item", "DispatchGroup.notify(queue:work:)") { first, then, ordered in
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "serial")
    DispatchQueue.global().async(group: ordered ? group : nil, execute: first)
    group.notify(queue: queue, work: DispatchWorkItem(block: then))
  },

  .sequence("group-notify-queue", "notify against the blocks of its queue") {
    first, then, ordered in
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "serial")
    (ordered ? queue : DispatchQueue.global()).async(execute: first)
    group.notify(queue: queue, execute: then)
  },

  .threads("concurrent-perform", "DispatchQueue.concurrentPerform") { trial in
    let (before, after) = (Cell(), Flag())
    let isCorrect = trial.isCorrect
    if isCorrect { before.store(1) }
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      after.raise()
      after.wait(for: 2)
      if isCorrect { before.read() } else { trial.write() }
    }
    if isCorrect { before.store(2) }
  },

  .threads("concurrent-perform-results", "concurrentPerform, a cell for each iteration") { trial in
    let cells = (0..<8).map { _ in Cell() }
    let isCorrect = trial.isCorrect
    Thread.detachNewThread {
      for cell in cells { cell.store(1) }
      let met = Flag()
      DispatchQueue.concurrentPerform(iterations: 8) { index in
        met.raise()
        if index < 2 { met.wait(for: 2) }
        cells[index].store(2)
        if !isCorrect, index < 2 { trial.write() }
      }
      for cell in cells { cell.store(3) }
      trial.end()
    }
    trial.wait()
  },

  .threads("lazy-global", "static let") { trial in
    // Every process makes it once: the trials after the first find it made.
    for _ in 0..<2 {
      Thread.detachNewThread {
        if trial.isCorrect { Made.cell.read() } else { trial.write() }
        Made.cell.read()
        trial.end()
      }
    }
    trial.wait(for: 2)
  },

  .submission("timer-source", "DispatchSource.makeTimerSource") { work in
    let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
    source.setEventHandler {
      source.cancel()
      work()
    }
    source.schedule(deadline: .now() + .milliseconds(1))
    source.resume()
  },

  .exclusive("source-handler", "a source's handler and its queue") {
    let queue = DispatchQueue(label: "serial")
    return { body in
      let source = DispatchSource.makeUserDataAddSource(queue: queue)
      source.setEventHandler {
        source.cancel()
        body()
      }
      source.resume()
      source.add(data: 1)
    }
  },

  .submission("source-data", "DispatchSourceUserDataAdd.add(data:)") { work in
    let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "data"))
    source.setEventHandler {
      source.cancel()
      work()
    }
    source.resume()
    source.add(data: 1)
  },

  .threads("source-data-later", "add(data:) to a source that runs already") { trial in
    let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "data"))
    let registered = Flag()
    source.setRegistrationHandler { registered.raise() }
    source.setEventHandler {
      source.cancel()
      trial.write()
      trial.end()
    }
    source.resume()
    registered.wait()
    if trial.isCorrect { trial.write() }
    source.add(data: 1)
    if !trial.isCorrect { trial.write() }
    trial.wait()
  }.needing(.gateAtTimes),

  .threads("source-cancel", "setCancelHandler, cancel()") { trial in
    let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
    let registered = Flag()
    source.setRegistrationHandler { registered.raise() }
    source.setEventHandler {}
    source.setCancelHandler {
      trial.write()
      trial.end()
    }
    source.resume()
    registered.wait()
    if trial.isCorrect { trial.write() }
    source.cancel()
    if !trial.isCorrect { trial.write() }
    trial.wait()
  }.needing(.gateAtTimes),

  .submission("read-source", "DispatchSource.makeReadSource") { work in
    let pipe = Pipe()
    let source = DispatchSource.makeReadSource(
      fileDescriptor: pipe.fileHandleForReading.fileDescriptor, queue: DispatchQueue(label: "read"))
    source.setEventHandler {
      source.cancel()
      work()
    }
    source.setCancelHandler { _ = pipe }
    source.resume()
    pipe.fileHandleForWriting.write(Data([1]))
  },

  .submission("dispatch-io", "DispatchIO.read") { work in
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let queue = DispatchQueue(label: "io")
    DispatchIO.read(fromFileDescriptor: descriptor, maxLength: 1, runningHandlerOn: queue) { _, _ in
      work()
    }
    pipe.fileHandleForWriting.write(Data([1]))
    _ = Unmanaged.passRetained(pipe)
  },
]

private enum Made {
  static let cell: Cell = {
    let cell = Cell()
    cell.store(1)
    return cell
  }()
}
