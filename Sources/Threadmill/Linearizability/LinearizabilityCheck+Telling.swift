#if os(Linux)
  import ThreadmillHistories
  import ThreadmillModel
  import ThreadmillRuntime

  // What is told of a scenario that fails, for which it is run once more.
  extension LinearizabilityCheck {
    /// So many orders are told.
    private static var mostReasons: Int { 6 }

    /// Runs the scenario again, and notes what its calls returned.
    func counterexample(
      _ plan: CallPlan, _ failure: Exploration.Failure
    ) throws -> Counterexample {
      let explorer = explorer(of: plan) { _ in self.examine(plan) }
      _ = try explorer.tell(failure.schedule)
      Outlet.shared?.settleExploration(failure.detected)
      return made(of: plan, failure)
    }

    private func made(of plan: CallPlan, _ failure: Exploration.Failure) -> Counterexample {
      let threads = zip(plan.threads, recorder.calls).map { planned, calls in
        zip(planned, calls).map { planned, call in
          Counterexample.Call(
            call: words(planned), result: call.answer?.words, began: call.began, ended: call.ended)
        }
      }
      let isUnexplained = failure.causes.contains {
        if case .error(let error) = $0 { error is Unexplained } else { false }
      }
      return Counterexample(
        threads: threads, failure: failure, isUnexplained: isUnexplained,
        consistency: demand.consistency,
        reasons: isUnexplained ? reasons(book.history(of: plan, recorder.calls)) : [],
        replay: "\(plan)/\(failure.schedule)", seed: demand.seed)
    }

    func words(_ call: CallPlan.Call) -> String {
      let words = caller.operations[call.operation].words(call.argument)
      return call.isCancelled ? "\(words), cancelled" : words
    }

    /// A line for each order that begins well: its calls, and the one that does not fit.
    private func reasons(_ history: History) -> [String] {
      let ends = OrderSearch.deadEnds(
        of: history, demand.consistency, by: &book.model, most: Self.mostReasons)
      return ends.map { end in
        let before = end.order.map { told(history.calls[$0]) }.joined(separator: ", ")
        let call = history.calls[end.call]
        let expected = end.expected.map { result(book.model.book[$0]) }.joined(separator: " or ")
        let wanted = end.expected.isEmpty ? "waits" : expected
        let name = words(book.model.codes.calls[call.operation])
        let came =
          call.answer.map { "and not \(result(book.model.book[$0]))" } ?? "and does not wait"
        let order = before.isEmpty ? "First" : "After \(before),"
        return "\(order) \(name) of thread \(call.thread + 1) \(wanted), \(came)"
      }
    }

    private func told(_ call: History.Call) -> String {
      let result = call.answer.map { book.model.book[$0].words } ?? ""
      let name = words(book.model.codes.calls[call.operation])
      return result.isEmpty ? name : "\(name) \(result)"
    }

    private func result(_ answer: Answer) -> String {
      answer.words.isEmpty ? "→ nothing" : answer.words
    }

    /// Runs the scenario of a counter-example again, in its order.
    func replay(_ text: String) throws -> Linearizability {
      let parts = text.split(separator: "/", maxSplits: 1)
      guard parts.count == 2, let plan = CallPlan(parts[0]), fits(plan) else {
        throw DescriptionError.badReplay(text)
      }
      let schedule = try Schedule(parsing: parts[1])
      let explorer = explorer(of: plan) { _ in .isFine }
      let (telling, history) = try followed(plan, schedule, explorer)
      result.scenarios = 1
      result.schedules = 1
      result.histories = 1
      if var failure = telling.failure {
        failure.divergence = telling.divergence.map(ScheduleDivergence.init)
        throw made(of: plan, failure)
      }
      if try isExplained(history) { return result }
      // What is known of the model now decides the same run.
      let judging = self.explorer(of: plan) { _ in self.examine(plan) }
      guard var failure = try judging.followed(schedule).failure else { return result }
      failure.divergence = telling.divergence.map(ScheduleDivergence.init)
      throw made(of: plan, failure)
    }

    private func followed(
      _ plan: CallPlan, _ schedule: Schedule, _ explorer: Explorer
    ) throws -> (Explorer.Telling, History) {
      let telling = try explorer.followed(schedule)
      Outlet.shared?.settleExploration(telling.failure?.detected ?? [])
      return (telling, book.history(of: plan, recorder.calls))
    }

    private func fits(_ plan: CallPlan) -> Bool {
      plan.count <= History.mostCalls
        && plan.threads.joined().allSatisfy { call in
          caller.operations.indices.contains(call.operation)
            && caller.operations[call.operation].arguments.indices.contains(call.argument)
            && (!call.isCancelled || caller.operations[call.operation].canBeCancelled)
        }
    }

    /// Looks for an order until the history is decided.
    func isExplained(_ history: History) throws -> Bool {
      while true {
        switch verdict(on: history) {
        case .explained: return true
        case .unexplained: return false
        case .unknown:
          guard try learn() else { return true }
        }
      }
    }
  }
#endif
