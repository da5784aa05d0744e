import Dispatch
import Foundation
import Synchronization
import Threadmill

/// Ends a thread from within a signal handler, so that neither Threadmill nor the C library knows.
enum Ender {
  private typealias Call = @convention(c) (Int, Int) -> Int
  nonisolated(unsafe) private static var call: Call?
  private static let exit = 60

  /// Written before the signal can come, and only read after that.
  static func prepare() {
    call = unsafeBitCast(dlsym(nil, "syscall"), to: Call.self)
    signal(SIGUSR1) { _ in _ = Ender.call?(Ender.exit, 0) }
  }

  static func wait(for lock: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let lock else { return nil }
    Unmanaged<NSLock>.fromOpaque(lock).takeUnretainedValue().lock()
    return nil
  }
}

/// Bodies at the limits of what can be explored.
enum Edges {
  static let all: [String: Body] = [
    // The new thread waits for ever, and no other thread waits for it.
    "leaves-a-thread": .code {
      let condition = NSCondition()
      Thread.detachNewThread { condition.withLock { condition.wait() } }
    },
    // The runtime ends the process within a call that is a step; another task could go on.
    "crashes": .task {
      let lock = NSLock()
      async let other: Void = { for _ in 0..<100 { lock.withLock {} } }()
      await withUnsafeContinuation { continuation in
        continuation.resume()
        continuation.resume()
      }
      await other
    },
    "many-barriers": .code(Crowd.atBarriers),
    "many-onces": .code(Crowd.atOnces),
    "awaits-nobody": .task {
      let (stream, end) = AsyncStream.makeStream(of: Never.self)
      for await _ in stream {}
      end.finish()
    },
  ]

  /// A thread ends by itself, without the C library, while it waits for a lock and so for its turn,
  /// and then gets both.
  static func dead() throws {
    let result = try explore(schedules: 1, strategy: .randomWalk) {
      let lock = NSLock()
      lock.lock()
      Ender.prepare()
      var thread = pthread_t()
      let argument = Unmanaged.passUnretained(lock).toOpaque()
      pthread_create(&thread, nil, { Ender.wait(for: $0) }, argument)
      sleep(1)
      pthread_kill(thread, SIGUSR1)
      lock.unlock()
      sleep(1)
      throw Wrong("the dead thread gave the turn back")
    }
    guard let failure = result.failure else { return }
    say("cause", failure.causes.map { "\($0)" }.joined())
  }

  private static let flag = Atomic(false)
  private static func loop() { while !flag.load(ordering: .relaxed) {} }

  /// The explorer runs on a worker of libdispatch, as that of a test of Swift Testing does.
  static func spins() throws {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      do {
        let result = try explore(schedules: 1) { loop() }
        say("failures", result.failure == nil ? 0 : 1)
        say("cause", result.failure?.causes.map { "\($0)" }.joined() ?? "none")
      } catch {
        say("error", "\(error)")
      }
      done.signal()
    }
    done.wait()
  }

  /// The program waits for a signal that all its threads block. The explorer runs on a worker.
  static func awaitsSignal() throws {
    let number: Int32 = 63  // SIGRTMAX - 1
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      do {
        let result = try explore(schedules: 1) { sleep(1) }
        say("schedules", result.schedules)
      } catch {
        say("error", "\(error)")
      }
      done.signal()
    }
    done.wait()
    kill(getpid(), number)
    // A thread that has not blocked the signal would take it in this time; nothing tells that no
    // thread will.
    usleep(100_000)
    var limit = timespec(tv_sec: 10, tv_nsec: 0)
    say("came", sigtimedwait(&signals, nil, &limit) == number)
  }

  /// More blocks than a schedule has room for, though never two at a time.
  static func full() throws {
    _ = try explore(schedules: 1, steps: 400_000) {
      let (queue, group) = (DispatchQueue(label: "many"), DispatchGroup())
      for _ in 0..<70_000 {
        queue.async(group: group) {}
        group.wait()
      }
    }
  }

  /// Survives a misuse that a program may die of, and is then ended by a signal.
  static func survived() throws {
    let result = try explore(schedules: 1) {
      let (group, queue) = (DispatchGroup(), DispatchQueue(label: "work"))
      group.notify(queue: queue) {}
      group.enter()
      queue.async { group.leave() }
    }
    say("failures", result.failure == nil ? 0 : 1)
    fflush(nil)
    kill(getpid(), SIGTERM)
    while true { pause() }
  }

  /// A schedule has too many steps while a block is on a queue. The next schedule needs the queue.
  static func cutShort() throws {
    let queue = DispatchQueue(label: "kept")
    let throwsAtItsEnd = Atomic(true)
    let body: @Sendable () throws -> Void = {
      let lock = NSLock()
      let take: @Sendable () -> Void = {
        lock.lock()
        lock.unlock()
      }
      let work: @Sendable () -> Void = { for _ in 0..<5 { take() } }
      for _ in 0..<20 { queue.sync(execute: work) }
      if throwsAtItsEnd.load(ordering: .relaxed) { throw Wrong("after the schedule's end") }
    }
    let result = try explore(schedules: 1, steps: 100, body)
    say("cause", result.failure?.causes.map { "\($0)" }.joined(separator: "; ") ?? "none")
    throwsAtItsEnd.store(false, ordering: .relaxed)
    let again = try explore(schedules: 20, body)
    say("again", again.failure?.causes.map { "\($0)" }.joined(separator: "; ") ?? "nothing")
  }

  /// Explores a body without an end, in a few steps, and replays its failure.
  static func endless() throws {
    let body: @Sendable () -> Void = { while true { sched_yield() } }
    let result = try explore(schedules: 1, steps: 500, body)
    guard let failure = result.failure else { return }
    say("cause", failure.causes.map { "\($0)" }.joined())
    let again = try explore(replaying: failure.schedule, steps: 500, body)
    say("again", again.failure?.causes.map { "\($0)" }.joined() ?? "nothing")
    say("divergence", again.divergence?.description ?? "none")
  }
}
