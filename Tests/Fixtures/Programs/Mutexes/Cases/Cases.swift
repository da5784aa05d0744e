import CThreadmillForeignMutex
import Foundation
import Synchronization
import ThreadmillOptimisedMutex

/// What a program does with a `Mutex`, and what it can see of it. Says the same whether it is
/// watched or not, except for `word`.
public enum MutexCases {
  public static func run(_ arguments: [String]) {
    let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000
    guard foreign_prepare() else { return print("no standard library") }
    switch arguments.first {
    case "mixed": mixed(rounds: rounds)
    case "owner": owner()
    case "fork": fork()
    case "shared": shared()
    case "moved": moved()
    case "short-lived": shortLived(rounds: rounds)
    case "word": word()
    case "calls": calls()
    case "opposite": Orders.opposite()
    case "relock": Orders.relock()
    case "with-queue": Orders.withQueue()
    case "silent": Orders.silent()
    case "contended-gate": Orders.contendedGate(rounds: rounds)
    case "named": Orders.named()
    case "held": Orders.heldAcrossAwait()
    default:
      print("mixed | owner | fork | shared | moved | short-lived | word | calls")
      print("opposite | relock | with-queue | silent | contended-gate | named | held")
    }
  }

  /// Three kinds of code use one mutex at the same time.
  private static func mixed(rounds: Int) {
    let counter = Counter()
    let other = Counter()
    let done = DispatchGroup()
    for kind in 0..<6 {
      done.enter()
      Thread.detachNewThread {
        for _ in 0..<rounds / 16 { addInTurn(to: counter, other, kind) }
        done.leave()
      }
    }
    done.wait()
    print("counted", counter.number.withLock { $0 } - 6 * 16 * (rounds / 16))
    print("other", other.number.withLock { $0 } - 6 * (rounds / 16))
  }

  private static func addInTurn(to counter: Counter, _ other: Counter, _ kind: Int) {
    for _ in 0..<16 { add(to: counter, kind % 3) }
    add(to: other, (kind + 1) % 3)
  }

  private static func add(to counter: Counter, _ kind: Int) {
    switch kind {
    case 0: counter.number.withLock { $0 += 1 }
    case 1: counter.addOptimised()
    default:
      foreign_lock(counter.word)
      counter.word.advanced(by: 2).withMemoryRebound(to: Int.self, capacity: 1) { $0.pointee += 1 }
      foreign_unlock(counter.word)
    }
  }

  /// While a thread waits, the word names the owner: that is what the kernel passes priorities by.
  private static func owner() {
    let counter = Counter()
    add(to: counter, 0)
    let waiting = Atomic(false)
    let done = DispatchSemaphore(value: 0)
    counter.number.withLock { _ in
      Thread.detachNewThread {
        waiting.store(true, ordering: .sequentiallyConsistent)
        counter.number.withLock { $0 += 1 }
        done.signal()
      }
      // The kernel sets this bit when a thread begins to wait; nothing can wait for the bit.
      while foreign_look(counter.word) >> 31 == 0 { Thread.sleep(forTimeInterval: 0.001) }
      print("owner", foreign_look(counter.word) & 0x3fff_ffff == UInt32(getpid()))
    }
    done.wait()
    print("counted", counter.number.withLock { $0 })
  }

  private static func fork() {
    let (used, held) = (Counter(), Counter())
    for _ in 0..<3 { add(to: used, 0) }
    let isChild = held.number.withLock { _ in foreign_fork() } == 0
    for kind in 0..<3 {
      add(to: used, kind)
      add(to: held, kind)
    }
    guard isChild else {
      var status: Int32 = 0
      wait(&status)
      return print("parent", used.number.withLock { $0 }, "status", status)
    }
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for kind in 0..<300 { add(to: used, kind % 3) }
      done.signal()
    }
    for kind in 0..<300 { add(to: used, kind % 3) }
    done.wait()
    let isRight = used.number.withLock { $0 } == 606 && held.number.withLock { $0 } == 3
    exit(isRight ? 0 : 1)
  }

  /// A mutex in memory that a child shares; the two take turns.
  private static func shared() {
    let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    let mutex = memory!.bindMemory(to: Mutex<Int>.self, capacity: 1)
    mutex.initialize(to: Mutex(0))
    let word = UnsafeMutableRawPointer(mutex).assumingMemoryBound(to: UInt32.self)
    for _ in 0..<3 {
      mutex.pointee.withLock { $0 += 1 }
      if foreign_fork() == 0 {
        mutex.pointee.withLock { $0 += 1 }
        foreign_lock(word)
        foreign_unlock(word)
        _exit(0)
      }
      wait(nil)
      foreign_lock(word)
      foreign_unlock(word)
    }
    print("counted", mutex.pointee.withLock { $0 })
  }

  private struct Safe: ~Copyable {
    let content: Mutex<[Int]>
    init() { content = Mutex([1]) }
  }

  private static func carry(_ safe: consuming Safe) -> Safe { safe }

  /// A mutex is moved as bytes, before its first use and after it.
  private static func moved() {
    var safe = carry(Safe())
    for round in 0..<1_000 {
      if round % 2 == 0 { safe.content.withLock { $0.append(round) } }
      safe = carry(safe)
    }
    let counts = safe.content.withLock { $0.count }
    print("counted", counts)
  }

  /// Each in turn, and each again at its place: what is left in the memory must do no harm.
  private static func shortLived(rounds: Int) {
    var sum = 0
    for _ in 0..<rounds {
      let counter = Counter()
      add(to: counter, 0)
      sum += counter.number.withLock { $0 }
    }
    var all = (0..<rounds / 10).map { _ in Counter() }
    for counter in all { add(to: counter, 0) }
    all = []
    let bytes = (0..<1_000).map { _ in [UInt8](repeating: 0, count: 32) }
    print("sum", sum - rounds, "zero", bytes.allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  /// The program's own calls by number, before and after the use of a mutex.
  private static func calls() {
    let counter = Counter()
    print("wrong", foreign_calls(), "took", foreign_takes_own())
    for kind in 0..<3 { add(to: counter, kind) }
    print("wrong", foreign_calls(), "has", foreign_has_own())
  }

  /// What others see of the word: the flag of a watched one, if it was free and then locked.
  private static func word() {
    let counter = Counter()
    print("new", foreign_look(counter.word))
    add(to: counter, 0)
    print("used", foreign_look(counter.word))
    add(to: counter, 1)
    print("optimised", foreign_look(counter.word))
    add(to: counter, 2)
    print("foreign", foreign_look(counter.word))
  }
}

extension Counter {
  /// The word of the mutex, behind the object's header; the number is behind it.
  var word: UnsafeMutablePointer<UInt32> {
    Unmanaged.passUnretained(self).toOpaque().advanced(by: 16)
      .assumingMemoryBound(to: UInt32.self)
  }
}
