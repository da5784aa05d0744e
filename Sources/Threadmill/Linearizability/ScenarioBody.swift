#if os(Linux)
  import Dispatch
  import Glibc
  import ThreadmillHistories
  import ThreadmillRuntime

  /// Makes calls of an object as a description says.
  struct Caller<Object, Model>: Sendable {
    let make: @Sendable () async throws -> Object
    let operations: [DescribedOperation<Object, Model>]

    func isAsynchronous(_ call: CallPlan.Call) -> Bool {
      if call.isCancelled { return true }
      guard case .asynchronous = operations[call.operation].body else { return false }
      return true
    }

    /// Makes a call that is not asynchronous.
    func callNow(_ call: CallPlan.Call, _ object: Object) -> Answer {
      guard case .synchronous(let body) = operations[call.operation].body else {
        preconditionFailure("Threadmill internal error: an asynchronous call on a thread")
      }
      return body(object, call.argument)
    }

    /// Makes a call as it stands in the plan, cancelled or not.
    func call(_ call: CallPlan.Call, _ shared: Shared<Object>) async -> Answer {
      guard call.isCancelled else { return await self.call(call, shared.object) }
      let task = Task { await self.call(call, shared.object) }
      // Others may go on here: the call has begun by then, or has not, or is over.
      await Task.yield()
      task.cancel()
      return await task.value
    }

    /// Makes a call in a task that was cancelled before.
    func callInCancelledTask(_ call: CallPlan.Call, _ shared: Shared<Object>) async -> Answer {
      await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await self.call(call, shared.object)
      }.value
    }

    private func call(_ call: CallPlan.Call, _ object: Object) async -> Answer {
      switch operations[call.operation].body {
      case .synchronous(let body): body(object, call.argument)
      case .asynchronous(let body): await body(object, call.argument)
      }
    }
  }

  /// The object whose calls are checked: it is shared, whether the compiler knows that it may be or
  /// not.
  struct Shared<Object>: @unchecked Sendable {
    let object: Object
  }

  /// A scenario as a body that can be explored.
  struct ScenarioBody<Object, Model>: Sendable {
    let plan: CallPlan
    let caller: Caller<Object, Model>
    let recorder: HistoryRecorder
    /// Sees whether calls make progress; `nil` if nothing is demanded.
    var watch: ProgressWatch?

    func run() async throws {
      Gate.unseen {
        recorder.begin(plan)
        watch?.begin()
      }
      let shared = Shared(object: try await caller.make())
      if plan.threads.joined().contains(where: caller.isAsynchronous) {
        await runTasks(shared)
      } else {
        runThreads(shared)
      }
    }

    private func begins(_ thread: Int, _ place: Int) {
      Gate.unseen {
        recorder.begins(thread, place)
        watch?.begins(thread)
      }
    }

    private func runThreads(_ shared: Shared<Object>) {
      let group = DispatchGroup()
      for thread in plan.threads.indices {
        DispatchQueue(label: "thread \(thread + 1)").async(group: group) {
          makeCalls(of: thread, shared)
        }
      }
      group.wait()
    }

    private func makeCalls(of thread: Int, _ shared: Shared<Object>) {
      for (place, call) in plan.threads[thread].enumerated() {
        // Others may go on between two calls.
        if place > 0 { sched_yield() }
        begins(thread, place)
        let answer = caller.callNow(call, shared.object)
        Gate.unseen { recorder.ends(thread, place, answer) }
      }
    }

    private func runTasks(_ shared: Shared<Object>) async {
      await withTaskGroup(of: Void.self) { group in
        for thread in plan.threads.indices {
          group.addTask { await makeCallsInTask(of: thread, shared) }
        }
      }
    }

    private func makeCallsInTask(of thread: Int, _ shared: Shared<Object>) async {
      for (place, call) in plan.threads[thread].enumerated() {
        if place > 0 { await Task.yield() }
        begins(thread, place)
        let answer = await caller.call(call, shared)
        Gate.unseen { recorder.ends(thread, place, answer) }
      }
    }
  }
#endif
