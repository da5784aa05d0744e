import Foundation

private actor Counter {
  private var box = Box()
  var n: Int { box.n }
  func add() { box.touch() }
  func addTwice() async {
    box.touch()
    await Task.yield()
    box.touch()
  }
  func take() -> Box {
    defer { box = Box() }
    return box
  }
}

@MainActor private final class Model {
  static let shared = Model()
  var box = Box()
  func add() { box.touch() }
}

private enum Current { @TaskLocal static var box: Box? }

@Sendable private func untilCancelled() async {
  while !Task.isCancelled { await Task.yield() }
}

let taskCases: [String: @Sendable () -> Void] = [
  "values": {
    blocking {
      let box = Box()
      box.touch()
      let task = Task { () -> Box in
        box.touch()
        return box
      }
      await task.value.touch()
      let failing = Task { () throws -> Box in
        box.touch()
        await Task.yield()
        box.touch()
        throw CancellationError()
      }
      _ = try? await failing.value
      box.touch()
    }
  },
  "jobsOfTask": {
    blocking {
      let box = Box()
      for _ in 0..<20 {
        box.touch()
        await Task.yield()
        box.touch()
        try? await Task.sleep(nanoseconds: 1_000)
      }
    }
  },
  "taskGroups": {
    blocking {
      let boxes = await withTaskGroup(of: Box.self) { group in
        let sent = Box()
        sent.touch()
        for i in 0..<20 {
          group.addTask {
            let box = Box()
            box.n = sent.n + i
            await Task.yield()
            box.touch()
            return box
          }
        }
        var all: [Box] = []
        for await box in group {
          box.touch()
          all.append(box)
        }
        sent.touch()
        return all
      }
      for box in boxes { box.touch() }
      await withDiscardingTaskGroup { group in
        for box in boxes { group.addTask { box.touch() } }
      }
      for box in boxes { box.touch() }
    }
  },
  "asyncLets": {
    @Sendable func work(_ box: Box) async -> Int {
      box.touch()
      await Task.yield()
      box.touch()
      return box.n
    }
    blocking {
      for _ in 0..<10 {
        let (a, b) = (Box(), Box())
        a.touch()
        async let one = work(a)
        async let two = work(b)
        _ = await (one, two)
        a.touch()
        b.touch()
      }
    }
  },
  "actors": {
    blocking {
      let counter = Counter()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<40 {
          group.addTask {
            await counter.add()
            await counter.addTwice()
            await counter.take().touch()
          }
        }
      }
      _ = await counter.n
      await counter.take().touch()
    }
  },
  "mainActor": {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<10 { group.addTask { await Model.shared.add() } }
      }
      await Model.shared.add()
      Task { @MainActor in Model.shared.add() }
      await Task { @MainActor in Model.shared.add() }.value
      done.signal()
    }
    while done.wait(timeout: .now()) == .timedOut {
      RunLoop.main.run(until: Date() + 0.001)
      MainActor.assumeIsolated { Model.shared.add() }
    }
  },
  "continuations": {
    blocking {
      let box = Box()
      let queue = DispatchQueue(label: "results")
      for i in 0..<20 {
        box.touch()
        await withCheckedContinuation { next in
          queue.async {
            box.touch()
            next.resume()
          }
        }
        box.touch()
        await withUnsafeContinuation { next in
          DispatchQueue.global().async {
            box.touch()
            next.resume()
          }
        }
        box.touch()
        let sent = await withCheckedContinuation { (next: CheckedContinuation<Box, Never>) in
          Thread {
            let sent = Box()
            sent.n = i
            next.resume(returning: sent)
          }.start()
        }
        sent.touch()
        let again = try? await withCheckedThrowingContinuation {
          (next: CheckedContinuation<Box, any Error>) in
          Task {
            let again = Box()
            again.touch()
            next.resume(returning: again)
          }
        }
        again?.touch()
      }
    }
  },
  "streams": {
    blocking {
      let (stream, sink) = AsyncStream.makeStream(of: Box.self)
      let reader = Task {
        var last = Box()
        for await box in stream {
          box.touch()
          last = box
        }
        return last
      }
      for _ in 0..<30 {
        let box = Box()
        box.touch()
        sink.yield(box)
        await Task.yield()
      }
      DispatchQueue.global().async {
        let box = Box()
        box.touch()
        sink.yield(box)
        sink.finish()
      }
      await reader.value.touch()
    }
  },
  "cancellation": {
    blocking {
      let box = Box()
      let task = Task {
        await withTaskCancellationHandler {
          await untilCancelled()
        } onCancel: {
          box.touch()
        }
      }
      box.touch()
      task.cancel()
      await task.value
      box.touch()
    }
  },
  "taskLocals": {
    blocking {
      let box = Box()
      box.touch()
      await Current.$box.withValue(box) {
        Current.box?.touch()
        await Task.yield()
        Current.box?.touch()
        await Task { Current.box?.touch() }.value
        Current.box?.touch()
      }
    }
  },
  "priorities": {
    blocking {
      let box = Box()
      let low = Task(priority: .background) {
        box.touch()
        await Task.yield()
        box.touch()
      }
      await Task(priority: .high) { await low.value }.value
      box.touch()
    }
  },
  "manyTasks": {
    blocking {
      let counter = Counter()
      let tasks = (0..<300).map { i in
        Task {
          var local = [i]
          await Task.yield()
          local.append(i)
          await counter.add()
          return local
        }
      }
      var all: [Int] = []
      for task in tasks { all += await task.value }
    }
  },
]
