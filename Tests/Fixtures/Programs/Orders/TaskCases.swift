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
      let (pair, done, awaited) = (Pair(), Flag(), Flag())
      let task = Task.detached {
        if isOrdered { await awaited.yield() }
        pair.forward()
        done.raise()
      }
      awaited.raise()
      if isOrdered { await task.value } else { await done.yield() }
      pair.backward()
      if !isOrdered { await task.value }
    },
    Case(task: "task-value-late") { isOrdered in
      let (pair, done) = (Pair(), Flag())
      let task = Task.detached {
        pair.forward()
        done.raise()
      }
      await done.yield()
      // Nobody can ask whether a task has ended. If this is too short, it is the case above.
      usleep(10_000)
      if isOrdered { await task.value }
      pair.backward()
      if !isOrdered { await task.value }
    },
    Case(task: "task-group") { isOrdered in
      let pair = Pair()
      await withTaskGroup(of: Void.self) { group in
        let done = Flag()
        group.addTask {
          pair.forward()
          done.raise()
        }
        if isOrdered { await group.waitForAll() } else { await done.yield() }
        pair.backward()
      }
    },
    Case(task: "task-group-next") { isOrdered in
      let (pair, done) = (Pair(), Flag())
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          pair.forward()
          done.raise()
        }
        if isOrdered { await group.next() } else { await done.yield() }
        pair.backward()
      }
    },
    Case(task: "async-let") { isOrdered in
      let (pair, done) = (Pair(), Flag())
      async let forward: Void = {
        pair.forward()
        done.raise()
      }()
      if isOrdered { await forward } else { await done.yield() }
      pair.backward()
      await forward
    },
    Case(task: "block-of-task") { Self.blockOfTask(isOrdered: $0) },
    Case(task: "continuation") { isOrdered in
      await Self.continuation(isOrdered: isOrdered, isEarly: false)
    },
    Case(task: "continuation-early") { isOrdered in
      await Self.continuation(isOrdered: isOrdered, isEarly: true)
    },
  ]

  /// What a task gave to a queue, and whether the task has waited for it.
  private static func blockOfTask(isOrdered: Bool) {
    let (pair, done, group) = (Pair(), Flag(), DispatchGroup())
    DispatchQueue.global().async(group: group) {
      pair.forward()
      done.raise()
    }
    if isOrdered { group.wait() } else { done.wait() }
    pair.backward()
    if !isOrdered { group.wait() }
  }

  /// A continuation that is resumed from a queue, also before its task has suspended.
  private static func continuation(isOrdered: Bool, isEarly: Bool) async {
    let (pair, resumed, done) = (Pair(), Flag(), Flag())
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        if isOrdered { pair.forward() }
        continuation.resume()
        resumed.raise()
        if !isOrdered { pair.forward() }
        done.raise()
      }
      if isEarly { resumed.wait() }
    }
    await done.yield()
    pair.backward()
  }
}
