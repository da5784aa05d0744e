#if os(Linux)
  import Dispatch
  import ThreadmillHistories
  import ThreadmillModel
  import ThreadmillRuntime
  import ThreadmillScheduling

  /// Makes calls one after the other, each path on an object of its own, and sees which of them
  /// wait for ever.
  ///
  /// It is one controlled run, in which time is virtual: a day passes when nothing else can go on.
  struct SoloWalk<Object, Model>: Sendable {
    typealias Path = [(call: CallPlan.Call, isCancelledBefore: Bool)]

    private let caller: Caller<Object, Model>
    private let paths: [Path]
    private let progress = Progress()

    /// Used by the flow that has the turn, and after the run by the explorer.
    private final class Progress: @unchecked Sendable {
      /// Of each path that was begun, the answers so far.
      var answers: [[Answer]] = []
      var failure: (any Error)?
    }

    /// Longer than any time limit of a call.
    private static var patience: DispatchTimeInterval { .seconds(24 * 3_600) }
    /// More than a walk of thousands of paths has.
    private static var mostSteps: Int { 20_000_000 }

    init(_ caller: Caller<Object, Model>, paths: [Path]) {
      (self.caller, self.paths) = (caller, paths)
    }

    /// Returns the answers of each path up to the call that waits for ever, if there is one.
    func run() throws -> [[Answer]] {
      let explorer = Explorer(seed: 1, steps: Self.mostSteps) { self.walk() }
      var causes: [Exploration.Failure.Cause] = []
      let strategy = StrategyPortfolio(.exhaustive, seed: Seed(rawValue: 1))
      _ = try explorer.run(strategy) { _, outcome in
        causes = outcome.causes
        return false
      }
      Outlet.shared?.settleExploration([])
      if let failure = progress.failure { throw DescriptionError.fails("\(failure)") }
      if !causes.isEmpty {
        throw DescriptionError.fails(causes.map { "\($0)" }.joined(separator: "; "))
      }
      return progress.answers
    }

    /// A helper makes the calls; one that does not come back is left where it is, and the next one
    /// goes on with the next path.
    private func walk() {
      var next = 0
      while next < paths.count, Gate.unseen({ progress.failure == nil }) {
        let done = DispatchSemaphore(value: 0)
        let first = next
        if paths.joined().contains(where: { caller.isAsynchronous($0.call) }) {
          let task = Task {
            await makeCalls(from: first)
            done.signal()
          }
          if done.wait(timeout: .now() + Self.patience) == .timedOut { task.cancel() }
        } else {
          DispatchQueue(label: "one thread").async {
            makeCallsNow(from: first)
            done.signal()
          }
          _ = done.wait(timeout: .now() + Self.patience)
        }
        next = Gate.unseen { progress.answers.count }
      }
    }

    private func makeCallsNow(from first: Int) {
      let made = DispatchSemaphore(value: 0)
      for path in first..<paths.count {
        Gate.unseen { progress.answers.append([]) }
        guard let shared = makeNow(made) else { return }
        for (call, _) in paths[path] {
          keep(caller.callNow(call, shared.object), of: path)
        }
      }
    }

    /// Makes the object in a task, which is over when this returns.
    private func makeNow(_ made: DispatchSemaphore) -> Shared<Object>? {
      let new = New<Object>()
      Task {
        await make(new)
        made.signal()
      }
      made.wait()
      return Gate.unseen { new.shared }
    }

    private func make(_ new: New<Object>) async {
      do {
        let shared = Shared(object: try await caller.make())
        Gate.unseen { new.shared = shared }
      } catch {
        Gate.unseen { progress.failure = error }
      }
    }

    private func makeCalls(from first: Int) async {
      for path in first..<paths.count {
        Gate.unseen { progress.answers.append([]) }
        let new = New<Object>()
        await make(new)
        guard let shared = Gate.unseen({ new.shared }) else { return }
        for (call, isCancelledBefore) in paths[path] {
          var call = call
          call.isCancelled = false
          let answer =
            isCancelledBefore
            ? await caller.callInCancelledTask(call, shared) : await caller.call(call, shared)
          // A call that was cancelled because it waited for ever has no answer.
          if Task.isCancelled { return }
          keep(answer, of: path)
        }
      }
    }

    private func keep(_ answer: Answer, of path: Int) {
      Gate.unseen { progress.answers[path].append(answer) }
    }
  }

  /// An object that was just made; used by the flow that has the turn.
  private final class New<Object>: @unchecked Sendable {
    var shared: Shared<Object>?
  }
#endif
