// swift-format-ignore-file: OnlyOneTrailingClosureArgument
// This is how descriptions are written.

import Foundation
import Synchronization
import Threadmill

/// More of the language of descriptions.
enum Others {
  static func run(_ name: String, scenarios: Int) async throws {
    switch name {
    case "spellings": try await spellings()
    case "results": try results()
    case "mistakes": mistakes()
    case "weaker": try weaker()
    case "progress": try progress()
    case "cancelled": try cancelled(scenarios)
    case "independent": try independent()
    default: print("no such case")
    }
  }

  /// A type that the compiler does not know to be safe.
  private final class Pile {
    private let lock = NSLock()
    private var all: [Int] = []
    struct Empty: Error, Equatable {}

    func put(_ number: Int) { lock.withLock { all.append(number) } }
    func take() throws -> Int {
      try lock.withLock {
        guard let last = all.popLast() else { throw Empty() }
        return last
      }
    }
    func ends() -> (Int?, Int?) { lock.withLock { (all.first, all.last) } }
    func swap(_ one: Int, for other: Int) -> Int {
      lock.withLock {
        let count = all.count { $0 == one }
        all = all.map { $0 == one ? other : $0 }
        return count
      }
    }
  }

  private actor Ledger {
    private var sum = 0
    func add(_ number: Int) async throws -> Int {
      sum += number
      return sum
    }
  }

  private static func spellings() async throws {
    try linearizable({ Pile() }, scenarios: 10) {
      Operation("put", [1, 2]) { pile, number in pile.put(number) }
      Operation("take") { pile in try pile.take() }
      Operation("ends") { $0.ends() }
      Operation("swap", 1...2, [3]) { pile, one, other in pile.swap(one, for: other) }
      Operation("pair", [(1, true), (2, false)]) { pile, pair in
        if pair.1 { return 0 }
        return try pile.take()
      }
    }
    try linearizable({ Ledger() }, scenarios: 10) {
      Operation("add", 1...2) { ledger, number in try await ledger.add(number) }
    }
    try linearizable({ await MainActor.run { Ledger() } }, scenarios: 3) {
      Operation("add", 1...2) { try await $0.add($1) }
      if CommandLine.arguments.isEmpty { Operation("never") { _ in } }
      for name in ["one", "two"] { Operation(name) { _ in name } }
    }
    print("spellings fine")
  }

  private final class Box: Sendable {
    private let count = Atomic(0)
    private let lock = NSLock()

    /// Two steps: two threads may see the same number.
    func next() -> Int {
      let number = lock.withLock { count.load(ordering: .relaxed) }
      lock.withLock { count.store(number + 1, ordering: .relaxed) }
      return number
    }
  }

  private static func finds(_ name: String, _ result: @escaping @Sendable (Int) -> Any) throws {
    do {
      try linearizable({ Box() }, scenarios: 10) {
        Operation("result") { box in result(box.next()) }
      }
      print(name, "nothing")
    } catch let found as Counterexample {
      print(name, found.results.joined().compactMap(\.self).joined(separator: " "))
    }
  }

  /// What is not Equatable is compared part by part.
  private static func results() throws {
    struct Plain { var number: Int }
    try finds("int") { $0 }
    try finds("plain") { Plain(number: $0) }
    try finds("pair") { ($0, "x") }
    try finds("optional") { Int?.some($0) as Any }
    try finds("result") { Result<Plain, any Error>.success(Plain(number: $0)) }
    try finds("void") { _ in () }
  }

  private static func mistakes() {
    func say(_ name: String, _ check: () throws -> Linearizability) {
      do { print(name, try check()) } catch { print(name, "\(error)") }
    }
    say("none") { try linearizable({ Pile() }) {} }
    say("empty") {
      try linearizable({ Pile() }) { Operation("put", [Int]()) { $0.put($1) } }
    }
    say("many") {
      try linearizable({ Pile() }, threads: 9, calls: 9) { Operation("take") { try $0.take() } }
    }
    say("replay") {
      try linearizable({ Pile() }, replaying: "nonsense") { Operation("take") { try $0.take() } }
    }
    struct Unmade: Error {}
    say("unmade") {
      try linearizable({ () throws -> Pile in throw Unmade() }) {
        Operation("take") { try $0.take() }
      }
    }
  }

  /// Versions of a value. Each thread reads the version that it has seen last, and sees the newest
  /// one after that: sequentially consistent, and not linearizable.
  private final class Versions: @unchecked Sendable {
    private let lock = NSLock()
    private var all = [0]
    private var seen: [pthread_t: Int] = [:]

    func write(_ value: Int) {
      lock.withLock {
        all.append(value)
        seen[pthread_self()] = all.count - 1
      }
    }

    func read() -> Int {
      lock.withLock {
        defer { seen[pthread_self()] = all.count - 1 }
        return all[seen[pthread_self()] ?? 0]
      }
    }
  }

  private static func weaker() throws {
    for consistency in [Consistency.linearizable, .sequential, .quiescent] {
      do {
        try versionsAre(consistency)
        print(consistency, "holds")
      } catch let found as Counterexample {
        print(consistency, found.isUnexplained ? "unexplained" : "\(found.failure)")
      }
    }
  }

  private static func versionsAre(_ consistency: Consistency) throws {
    try linearizable({ Versions() }, model: 0, threads: 2, consistency: consistency) {
      Operation("write", 1...2) {
        $0.write($1)
      } model: {
        $0 = $1
      }
      Operation("read") {
        $0.read()
      } model: {
        $0
      }
    }
  }

  /// A counter behind a lock, or behind a lock that spins, or without one.
  private final class Count: @unchecked Sendable {
    private let lock = NSLock()
    private let isTaken = Atomic(false)
    private let atomic = Atomic(0)
    private var value = 0

    func addLocked() { lock.withLock { value += 1 } }
    func addSpinning() {
      while isTaken.exchange(true, ordering: .acquiring) { sched_yield() }
      sched_yield()
      value += 1
      isTaken.store(false, ordering: .releasing)
    }
    func addFree() {
      sched_yield()
      atomic.add(1, ordering: .relaxed)
      sched_yield()
    }
  }

  private static func progress() throws {
    for guarantee in [ProgressGuarantee.obstructionFree, .lockFree] {
      try progresses("locked", guarantee) { $0.addLocked() }
      try progresses("spinning", guarantee) { $0.addSpinning() }
      try progresses("free", guarantee) { $0.addFree() }
    }
  }

  private static func progresses(
    _ name: String, _ guarantee: ProgressGuarantee, _ add: @escaping @Sendable (Count) -> Void
  ) throws {
    func found(_ replay: String? = nil) throws -> Counterexample? {
      do {
        try linearizable(
          { Count() }, scenarios: 20, progress: guarantee, replaying: replay
        ) { Operation("add", add) }
        return nil
      } catch let found as Counterexample {
        return found
      }
    }
    guard let first = try found() else { return print(name, guarantee, "holds") }
    print(name, first.title, "again", try found(first.replay)?.title == first.title)
  }

  private actor Mailbox {
    private var letters: [Int] = []

    func post(_ letter: Int) { letters.append(letter) }

    /// If `loses`, a call that is cancelled in its midst loses a letter.
    func letter(loses: Bool) async throws -> Int {
      try Task.checkCancellation()
      if letters.isEmpty { return -1 }
      let letter = letters.removeFirst()
      if loses {
        await Task.yield()
        try Task.checkCancellation()
      }
      return letter
    }

    func count() -> Int { letters.count }
  }

  private static func cancelled(_ scenarios: Int) throws {
    for loses in [false, true] {
      do {
        try mailboxes(loses, scenarios)
        print("loses", loses, "holds")
      } catch let found as Counterexample {
        print("loses", loses, found.isUnexplained ? "unexplained" : "\(found.failure.causes)")
      }
    }
  }

  private static func mailboxes(_ loses: Bool, _ scenarios: Int) throws {
    try linearizable({ Mailbox() }, scenarios: scenarios) {
      Operation("post", 1...2) { box, letter in await box.post(letter) }
      Operation("letter") { box in try await box.letter(loses: loses) }.canBeCancelled()
      Operation("count") { box in await box.count() }
    }
  }

  /// A set with a lock for each element.
  private static func independent() throws {
    final class Numbers: @unchecked Sendable {
      private let lock = NSLock()
      private var all: Set<Int> = []
      func insert(_ number: Int) -> Bool { lock.withLock { all.insert(number).inserted } }
      func contains(_ number: Int) -> Bool { lock.withLock { all.contains(number) } }
    }
    let result = try linearizable({ Numbers() }, scenarios: 40) {
      Operation("insert", 1...3) { $0.insert($1) }.independentByArgument()
      Operation("contains", 1...3) { $0.contains($1) }.independentByArgument()
    }
    print("independent", result.scenarios)
  }
}
