import Dispatch
import Foundation

let actorPatterns: [Pattern] = [
  .isolated("actor", "an actor's method") {
    let owner = PlainActor()
    return { body in await owner.run(body) }
  },

  .isolated("actor-suspending", "an actor's method with an await in it") {
    let owner = PlainActor()
    return { body in await owner.runTwice(body) }
  },

  .isolated("global-actor", "@globalActor") {
    { body in await OwnActor.run(body) }
  },

  .isolated("main-actor", "MainActor.run") {
    { body in await MainActor.run(body: body) }
  },

  .isolated("actor-with-executor", "an actor with a SerialExecutor of its own") {
    let owner = QueueActor()
    return { body in await owner.run(body) }
  },

  .isolated("main-actor-and-queue", "MainActor beside DispatchQueue.main") {
    let turn = AtomicBox()
    return { body in
      guard turn.value.add(1, ordering: .relaxed).oldValue % 2 == 0 else {
        return await MainActor.run(body: body)
      }
      let done = Flag()
      DispatchQueue.main.async {
        body()
        done.raise()
      }
      while !done.isRaised { await Task.yield() }
    }
  },
]

extension Pattern {
  fileprivate typealias AsyncSection = @Sendable (@escaping @Sendable () -> Void) async -> Void

  /// Two tasks enter the same section.
  fileprivate static func isolated(
    _ id: String, _ uses: String, _ make: @escaping @Sendable () -> AsyncSection
  ) -> Pattern {
    .tasks(id, uses, Variant.allCases) { trial in
      let section = make()
      let enter: @Sendable (Int) async -> Void = { side in
        guard trial.isProtected(side: side) else { return trial.write() }
        let write: @Sendable () -> Void = { trial.write() }
        for _ in 0..<(trial.isCorrect ? 5 : 1) { await section(write) }
      }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await enter(0) }
        group.addTask { await enter(1) }
      }
    }
  }
}

private actor PlainActor {
  func run(_ body: @Sendable () -> Void) { body() }

  func runTwice(_ body: @Sendable () -> Void) async {
    body()
    await Task.yield()
  }
}

@globalActor private actor OwnActor {
  static let shared = OwnActor()
  @OwnActor static func run(_ body: @Sendable () -> Void) { body() }
}

private actor QueueActor {
  private let queue = ActorExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
  func run(_ body: @Sendable () -> Void) { body() }
}

private final class ActorExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "actor")

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { unowned.runSynchronously(on: executor) }
  }
}
