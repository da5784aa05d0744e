import Foundation

extension Case {
  /// Between tasks, and between tasks and what is none.
  static let tasks: [Case] = [
    Case(task: "task-create") { isOrdered in
      let (pair, begun, done) = (Pair(), Flag(), Flag())
      if isOrdered { pair.forward() }
      // Neither leaves its worker before it is through, so they cannot share one: which tasks do is
      // chance, and hides this. Needs a pool of two.
      let task = Task.detached {
        begun.raise()
        if !isOrdered { done.wait() }
        pair.backward()
      }
      begun.wait()
      if !isOrdered { pair.forward() }
      done.raise()
      await task.value
    },
    Case(task: "task-value") { isOrdered in
      let (pair, done, over, awaited) = (Pair(), Flag(), Flag(), Flag())
      let task = Task.detached {
        if isOrdered { await awaited.yield() }
        pair.forward()
        done.raise()
        if !isOrdered { over.wait() }
      }
      awaited.raise()
      if isOrdered { await task.value } else { await done.yield() }
      pair.backward()
      over.raise()
      if !isOrdered { await task.value }
    },
    Case(task: "task-value-late") { isOrdered in
      let (pair, done) = (Pair(), Flag())
      let task = Task.detached {
        pair.forward()
        done.raise()
      }
      await done.yield()
      // Nobody can ask whether a task has ended. In a pool of one thread it has; in a wider one, if
      // this is too short, the ordered case is the one above.
      usleep(10_000)
      if isOrdered { await task.value }
      pair.backward()
      if !isOrdered { await task.value }
    },
    Case(task: "task-value-resumed") { isOrdered in
      let (pair, done) = (Pair(), Flag())
      let task = Task.detached {
        await Task.yield()
        pair.forward()
        done.raise()
      }
      // If the ordered one keeps its thread, the task goes on, after its yield, on another one.
      if isOrdered { done.wait() } else { await done.yield() }
      // As in the case above, nobody can ask whether the task has ended.
      usleep(10_000)
      if isOrdered { await task.value }
      pair.backward()
      if !isOrdered { await task.value }
    },
    Case(task: "task-group") { isOrdered in
      let (pair, done, over) = (Pair(), Flag(), Flag())
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          pair.forward()
          done.raise()
          if !isOrdered { over.wait() }
        }
        if isOrdered { await group.waitForAll() } else { await done.yield() }
        pair.backward()
        over.raise()
      }
    },
    Case(task: "task-group-next") { isOrdered in
      let (pair, done, over) = (Pair(), Flag(), Flag())
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          pair.forward()
          done.raise()
          if !isOrdered { over.wait() }
        }
        if isOrdered { await group.next() } else { await done.yield() }
        pair.backward()
        over.raise()
      }
    },
    Case(task: "async-let") { isOrdered in
      let (pair, done, over) = (Pair(), Flag(), Flag())
      async let forward: Void = {
        pair.forward()
        done.raise()
        if !isOrdered { over.wait() }
      }()
      if isOrdered { await forward } else { await done.yield() }
      pair.backward()
      over.raise()
      await forward
    },
    Case(task: "block-of-task") { Self.blockOfTask(isOrdered: $0) },
    Case(task: "block-of-task-late") { Self.lateBlockOfTask(isOrdered: $0) },
    Case(task: "continuation") { isOrdered in
      await Self.continuation(isOrdered: isOrdered, isEarly: false)
    },
    Case(task: "continuation-early") { isOrdered in
      await Self.continuation(isOrdered: isOrdered, isEarly: true)
    },
  ]

  /// What a task gave to a queue, and whether the task has waited for it.
  private static func blockOfTask(isOrdered: Bool) {
    let (pair, done, over, group) = (Pair(), Flag(), Flag(), DispatchGroup())
    DispatchQueue.global().async(group: group) {
      pair.forward()
      done.raise()
      if !isOrdered { over.wait() }
    }
    if isOrdered { group.wait() } else { done.wait() }
    pair.backward()
    over.raise()
    if !isOrdered { group.wait() }
  }

  /// The same with a block that has ended by then: the next one on its queue says so by a flag.
  private static func lateBlockOfTask(isOrdered: Bool) {
    let (pair, ended, group) = (Pair(), Flag(), DispatchGroup())
    let queue = DispatchQueue(label: "work")
    queue.async(group: group) { pair.forward() }
    queue.async { ended.raise() }
    ended.wait()
    if isOrdered { group.wait() }
    pair.backward()
  }

  /// A continuation that is resumed from a queue, also before its task has suspended.
  private static func continuation(isOrdered: Bool, isEarly: Bool) async {
    let (pair, resumed, done, over) = (Pair(), Flag(), Flag(), Flag())
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        if isOrdered { pair.forward() }
        continuation.resume()
        resumed.raise()
        if !isOrdered { pair.forward() }
        done.raise()
        if !isOrdered { over.wait() }
      }
      if isEarly { resumed.wait() }
    }
    await done.yield()
    pair.backward()
    over.raise()
  }
}
