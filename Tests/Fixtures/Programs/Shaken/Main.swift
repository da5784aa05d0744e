import CThreadmillGate
import Dispatch
import Glibc
import Synchronization

// What jitter does, in numbers. The first argument says what to do; every line of output is one
// fact.

@main struct Main {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "sequence": sequence()
    case "busy": busy()
    case "conditions": conditions()
    case "timers": timers()
    case "semaphore": semaphore()
    case "first-blocks": firstBlocks()
    case "first-threads": firstThreads()
    case "paths": paths()
    default: exit(64)
    }
  }

  /// The decisions of one thread, in their order.
  private static func sequence() {
    let record = Record(limit: 4_096)
    var lock = pthread_mutex_t()
    pthread_mutex_init(&lock, nil)
    let gate = DispatchSemaphore(value: 0)
    for round in 0..<200 {
      pthread_mutex_lock(&lock)
      pthread_mutex_unlock(&lock)
      if round % 10 == 0 {
        gate.signal()
        gate.wait()
      }
    }
    for decision in record.decisions {
      print(decision.path, decision.index, decision.point.rawValue, decision.decision)
    }
  }

  /// One thread that does nothing but lock and unlock for two seconds.
  private static func busy() {
    var lock = pthread_mutex_t()
    pthread_mutex_init(&lock, nil)
    let began = now()
    while now() - began < 2_000_000_000 {
      for _ in 0..<10 {
        pthread_mutex_lock(&lock)
        pthread_mutex_unlock(&lock)
      }
    }
    print("milliseconds", (now() - began) / 1_000_000)
  }

  /// Waits that nobody signals, of a millisecond each.
  private static func conditions() {
    var lock = pthread_mutex_t()
    var condition = pthread_cond_t()
    pthread_mutex_init(&lock, nil)
    pthread_cond_init(&condition, nil)
    var (forNoReason, inTime, tooEarly, other) = (0, 0, 0, 0)
    pthread_mutex_lock(&lock)
    for _ in 0..<300 {
      let until = now(CLOCK_REALTIME) + 1_000_000
      var deadline = timespec(tv_sec: until / 1_000_000_000, tv_nsec: until % 1_000_000_000)
      switch pthread_cond_timedwait(&condition, &lock, &deadline) {
      case 0: forNoReason += 1
      case ETIMEDOUT: if now(CLOCK_REALTIME) < until { tooEarly += 1 } else { inTime += 1 }
      default: other += 1
      }
    }
    print("for-no-reason", forNoReason)
    print("in-time", inTime)
    print("too-early", tooEarly)
    print("other", other)
    print("unlocked", pthread_mutex_unlock(&lock))
  }

  /// Timers one after the other, and how much later than drawn each came.
  private static func timers() {
    let record = Record(limit: 4_096)
    var (late, tooEarly) = (0, 0)
    for _ in 0..<40 {
      let done = DispatchSemaphore(value: 0)
      let before = record.lateness.count
      let due = DispatchTime.now() + .milliseconds(1)
      DispatchQueue.global().asyncAfter(deadline: due) { done.signal() }
      let drawn = record.lateness.dropFirst(before).first ?? 0
      done.wait()
      if drawn > 0 { late += 1 }
      if DispatchTime.now() < due + .microseconds(Int(drawn)) { tooEarly += 1 }
    }
    print("late", late)
    print("too-early", tooEarly)
  }

  /// How many are inside at once, where two may.
  private static func semaphore() {
    let inside = Count()
    let two = DispatchSemaphore(value: 2)
    DispatchQueue.concurrentPerform(iterations: 60) { _ in
      two.wait()
      inside.enter()
      inside.leave()
      two.signal()
    }
    print("most", inside.most)
  }

  /// In how many of four rounds a block has still not been run when its submitter has worked for
  /// 10 ms, and submits another one; and how long after that submission it runs at least.
  private static func firstBlocks() {
    let (one, other) = (DispatchQueue(label: "one"), DispatchQueue(label: "other"))
    let ran = Atomic(0)
    var (held, least) = (0, Int.max)
    for _ in 0..<4 {
      ran.store(0, ordering: .sequentiallyConsistent)
      one.async { ran.store(now(), ordering: .sequentiallyConsistent) }
      let begin = now()
      while now() - begin < 10_000_000 {}
      let (isHeld, submitted) = (ran.load(ordering: .sequentiallyConsistent) == 0, now())
      other.async {}
      one.sync {}
      other.sync {}
      guard isHeld else { continue }
      held += 1
      least = min(least, ran.load(ordering: .sequentiallyConsistent) - submitted)
    }
    print("held", held)
    print("least", least)
  }

  /// As ``firstBlocks()``, with threads.
  private static func firstThreads() {
    let isOver = Atomic(false)
    var held = 0
    for _ in 0..<4 {
      isOver.store(false, ordering: .sequentiallyConsistent)
      let one = thread { isOver.store(true, ordering: .sequentiallyConsistent) }
      let begin = now()
      while now() - begin < 10_000_000 {}
      if !isOver.load(ordering: .sequentiallyConsistent) { held += 1 }
      let other = thread {}
      pthread_join(one, nil)
      pthread_join(other, nil)
    }
    print("held", held)
  }

  /// Prints the number of paths of seven threads: this one, two that it starts, and two of each of
  /// these.
  private static func paths() {
    let record = Record(limit: 4_096)
    func starts(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
      { for _ in 0..<2 { pthread_join(thread(body), nil) } }
    }
    starts(starts {})()
    print("paths", Set(record.decisions.map(\.path)).count)
  }

  private static func thread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Body(body)).toOpaque()
    pthread_create(
      &thread, nil,
      { box in
        if let box { Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run() }
        return nil
      }, box)
    return thread
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  static func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// The decisions of this process from now on.
private struct Record {
  private let room: UnsafeMutablePointer<tm_shaken>

  init(limit: Int) {
    room = .allocate(capacity: limit)
    room.initialize(repeating: tm_shaken(), count: limit)
    tm_shake_record(room, UInt32(limit))
  }

  var decisions: [tm_shaken] {
    Array(UnsafeBufferPointer(start: room, count: Int(tm_shake_recorded())))
  }

  /// Of each timer, in microseconds.
  var lateness: [UInt32] {
    decisions.filter { $0.point == TM_POINT_LATE }.map { $0.decision >> 2 }
  }
}

/// Counts who is inside; its lock is not what is tested.
private final class Count: @unchecked Sendable {
  // Guarded by `lock`.
  private var inside = 0
  private(set) var most = 0
  private let lock: UnsafeMutablePointer<pthread_mutex_t> = {
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    return lock
  }()

  func enter() {
    pthread_mutex_lock(lock)
    inside += 1
    most = max(most, inside)
    pthread_mutex_unlock(lock)
  }

  func leave() {
    pthread_mutex_lock(lock)
    inside -= 1
    pthread_mutex_unlock(lock)
  }
}
