import ThreadmillHistories

extension CallPlan {
  /// Simpler plans, the simplest first: without a thread, without a call, with fewer threads, not
  /// cancelled, and with simpler arguments. One thread alone shows nothing.
  package var simpler: [CallPlan] { (smaller + merged + plainer).filter { $0 != self } }

  /// Without a thread, and without a call.
  private var smaller: [CallPlan] {
    var plans: [CallPlan] = []
    for thread in threads.indices where threads.count > 2 {
      var plan = self
      plan.threads.remove(at: thread)
      plans.append(plan)
    }
    forEachCall { thread, call in
      var plan = self
      plan.threads[thread].remove(at: call)
      plan = CallPlan(threads: plan.threads)
      if plan.threads.count > 1 { plans.append(plan) }
    }
    return plans
  }

  /// With the calls of one thread made by another one.
  private var merged: [CallPlan] {
    var plans: [CallPlan] = []
    for thread in threads.indices where threads.count > 2 {
      for other in threads.indices where other != thread {
        var plan = self
        plan.threads[other] += threads[thread]
        plan.threads.remove(at: thread)
        plans.append(plan)
      }
    }
    return plans
  }

  /// Not cancelled; with a simpler argument in all calls that have the same one, and in one call.
  private var plainer: [CallPlan] {
    var plans: [CallPlan] = []
    forEachCall { thread, call in
      guard threads[thread][call].isCancelled else { return }
      var plan = self
      plan.threads[thread][call].isCancelled = false
      plans.append(plan)
    }
    for argument in Set(threads.joined().map(\.argument)).sorted() {
      for simpler in 0..<argument {
        plans.append(replacing(argument, by: simpler))
      }
    }
    forEachCall { thread, call in
      for argument in 0..<threads[thread][call].argument {
        var plan = self
        plan.threads[thread][call].argument = argument
        plans.append(plan)
      }
    }
    return plans
  }

  private func replacing(_ argument: Int, by other: Int) -> CallPlan {
    var plan = self
    forEachCall { thread, call in
      guard threads[thread][call].argument == argument else { return }
      plan.threads[thread][call].argument = other
    }
    return plan
  }

  private func forEachCall(_ body: (_ thread: Int, _ call: Int) -> Void) {
    for thread in threads.indices {
      for call in threads[thread].indices { body(thread, call) }
    }
  }
}
