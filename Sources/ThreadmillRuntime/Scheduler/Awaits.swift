#if os(Linux)
  import CThreadmillGate
  import ThreadmillDetection
  import ThreadmillModel

  /// The tasks that are suspended when a schedule is over, and what they wait for.
  package struct Awaits: Sendable {
    private let tasks: [SuspendedTask]

    /// The tasks of the schedule that is just over; called before the next one begins.
    package static var now: Awaits {
      var found: [SuspendedTask] = []
      withUnsafeMutablePointer(to: &found) { found in
        tm_suspended_describe(
          { view, context in
            guard let view, let context else { return }
            context.assumingMemoryBound(to: [SuspendedTask].self).pointee
              .append(view.pointee.value(tests: []).unnamed)
          }, UnsafeMutableRawPointer(found))
      }
      return Awaits(tasks: found)
    }

    /// The chain that keeps the body from its end comes first. Called inside `Gate.delivering`.
    ///
    /// - Parameter name: what to call the task with this number.
    package func lines(name: (UInt32) -> String) -> [ScheduleStory.Await] {
      let symbolicator = Session.current?.symbolicator
      let chain = AwaitChain.fromRoot(tasks)
      let own = Set(chain?.tasks.map(\.number) ?? [])
      let keeps = chain?.leadsToThread == false
      let others = AwaitChain.chains(of: tasks.filter { !own.contains($0.number) })
      func lines(_ chain: AwaitChain, _ keepsBody: Bool) -> [ScheduleStory.Await] {
        chain.facts(name: name).map { fact in
          let named = symbolicator?.symbolicated(fact.frames) ?? fact.frames
          return ScheduleStory.Await(fact.text, places: named.places, keepsBody: keepsBody)
        }
      }
      return (chain.map { lines($0, keeps) } ?? []) + others.flatMap { lines($0, false) }
    }

    /// What keeps the body from its end, if no thread does; for a schedule without a story.
    package var facts: [Finding.Fact] {
      Gate.delivering {
        lines(name: name).filter(\.keepsBody).map { .init($0.text, frames: $0.places) }
      }
    }

    private func name(of task: UInt32) -> String {
      tasks.contains { $0.number == task && $0.isRoot } ? "body" : "task \(task)"
    }
  }

  extension SuspendedTask {
    /// Reports of explorations do not name continuations: each schedule makes its own.
    fileprivate var unnamed: SuspendedTask {
      var task = self
      if case .continuation = awaited { task.awaited = .continuation() }
      return task
    }
  }
#endif
