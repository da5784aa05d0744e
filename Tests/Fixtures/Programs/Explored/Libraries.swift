import Dispatch
import Foundation
import Synchronization
import Threadmill

/// What Foundation, Dispatch and Swift's tasks do with time, cancellation and dependencies: right
/// in every order.
extension Bodies {
  static let libraries: [String: Body] = [
    "operation-graph": .code {
      let queue = OperationQueue()
      let order = Mutex<[String]>([])
      queue.maxConcurrentOperationCount = 2
      func operation(_ name: String, after: Operation...) -> Operation {
        let made = BlockOperation { order.withLock { $0.append(name) } }
        for one in after { made.addDependency(one) }
        return made
      }
      let load = operation("load")
      let (left, right) = (operation("left", after: load), operation("right", after: load))
      let save = operation("save", after: left, right)
      queue.addOperations([save, right, left, load], waitUntilFinished: false)
      queue.addBarrierBlock { order.withLock { $0.append("barrier") } }
      queue.waitUntilAllOperationsAreFinished()
      let seen = order.withLock { $0 }
      guard seen.first == "load", Array(seen.suffix(2)) == ["save", "barrier"], seen.count == 5
      else { throw Wrong(seen) }
    },
    "operations-cancelled": .code {
      let queue = OperationQueue()
      let count = Mutex(0)
      let operations = (0..<3).map { _ in BlockOperation { count.withLock { $0 += 1 } } }
      operations[2].addDependency(operations[0])
      queue.addOperations(operations, waitUntilFinished: false)
      queue.cancelAllOperations()
      queue.waitUntilAllOperationsAreFinished()
      let ran = count.withLock { $0 }
      if ran > 3 || operations.contains(where: { !$0.isFinished }) { throw Wrong(ran) }
    },
    "group-timeouts": .code {
      let (group, began) = (DispatchGroup(), ContinuousClock.now)
      group.enter()
      DispatchQueue.global().asyncAfter(deadline: .now() + 20) { group.leave() }
      if group.wait(timeout: .now() + 10) == .success { throw Wrong("too early") }
      if group.wait(timeout: .now() + 60) == .timedOut { throw Wrong("never") }
      let passed = ContinuousClock.now - began
      if passed < .seconds(20) || passed > .seconds(21) { throw Wrong(passed) }
    },
    "after": .code {
      let order = Mutex<[Int]>([])
      let done = DispatchGroup()
      nonisolated(unsafe) let never = DispatchWorkItem { order.withLock { $0.append(0) } }
      for number in [3, 1, 2] {
        done.enter()
        DispatchQueue.global().asyncAfter(deadline: .now() + Double(number)) {
          order.withLock { $0.append(number) }
          if number == 1 { never.cancel() }
          done.leave()
        }
      }
      DispatchQueue.global().asyncAfter(wallDeadline: .now() + 1.5, execute: never)
      done.wait()
      let seen = order.withLock { $0 }
      if seen != [1, 2, 3] { throw Wrong(seen) }
    },
    "condition-limit": .code {
      let (condition, began) = (NSCondition(), Date())
      let isSignalled = condition.withLock { condition.wait(until: began.addingTimeInterval(30)) }
      let passed = Date().timeIntervalSince(began)
      if isSignalled || passed < 29.9 || passed > 31 { throw Wrong(passed) }
    },
    "timeout": .task {
      let clock = ContinuousClock()
      let began = clock.now
      let first = await withTaskGroup(of: String.self) { group in
        group.addTask { (try? await Task.sleep(for: .seconds(60))) == nil ? "cancelled" : "slow" }
        group.addTask {
          try? await Task.sleep(for: .seconds(5))
          return "timeout"
        }
        let first = await group.next() ?? "none"
        group.cancelAll()
        for await other in group where other != "cancelled" { return other }
        return first
      }
      let passed = clock.now - began
      if first != "timeout" || passed > .seconds(6) { throw Wrong("\(first), \(passed)") }
    },
    "failing-group": .task {
      let (ended, lock) = (Cell(), NSLock())
      @Sendable func work(_ number: Int) async throws {
        defer { lock.withLock { ended.value += 1 } }
        if number == 1 { throw CancellationError() }
        try await Task.sleep(for: .seconds(3_600))
      }
      let isFine = await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<3 { group.addTask { try await work(number) } }
        var isFine = true
        while let one = await group.nextResult() {
          guard case .failure = one else { continue }
          isFine = false
          group.cancelAll()
        }
        return isFine
      }
      if isFine || ended.value != 3 { throw Wrong(ended.value) }
    },
    "cancelled-stream": .task {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let terminations = Mutex(0)
      continuation.onTermination = { _ in terminations.withLock { $0 += 1 } }
      let reader = Task {
        var sum = 0
        for await number in stream { sum += number }
        return sum
      }
      continuation.yield(1)
      reader.cancel()
      continuation.yield(2)
      let sum = await reader.value
      let ends = terminations.withLock { $0 }
      if ![0, 1, 3].contains(sum) || ends != 1 { throw Wrong("\(sum), \(ends)") }
    },
    "clocks": .task {
      let (clock, other) = (ContinuousClock(), SuspendingClock())
      async let first = clock.measure { try? await Task.sleep(for: .seconds(7)) }
      async let second = other.measure {
        try? await other.sleep(until: other.now.advanced(by: .seconds(9)), tolerance: .seconds(1))
      }
      let (short, long) = await (first, second)
      guard (7.0...7.5).contains(short / .seconds(1)), (9.0...10.5).contains(long / .seconds(1))
      else { throw Wrong("\(short), \(long)") }
    },
    // A later reading of a clock is greater.
    "later-readings": .code {
      let readings = Mutex<[UInt64]>([])
      let note: @Sendable () -> Void = {
        readings.withLock { $0.append(DispatchTime.now().uptimeNanoseconds) }
      }
      Bodies.onThreads(note, note)
      let read = readings.withLock { $0 }
      if read[0] >= read[1] { throw Wrong(read) }
    },
    // Two blocks with equal delays begin in either order.
    "equal-delays": .code {
      let begun = Mutex<[Int]>([])
      let group = DispatchGroup()
      for number in 1...2 {
        group.enter()
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
          begun.withLock { $0.append(number) }
          group.leave()
        }
      }
      group.wait()
      let order = begun.withLock { $0 }
      if order != [1, 2] { throw Wrong(order) }
    },
    "tolerant-sleep": .task {
      let slept = try await ContinuousClock().measure {
        try await Task.sleep(for: .seconds(3_600), tolerance: .seconds(1))
      }
      if slept < .seconds(3_600) || slept > .seconds(3_602) { throw Wrong(slept) }
    },
  ]
}
