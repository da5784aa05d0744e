import ThreadmillScheduling

/// A few threads with a few atomic accesses to variables that are 0 at first.
struct Litmus: Sendable, CustomStringConvertible {
  enum Operation: Sendable {
    case load(Int, MemoryOrder)
    case store(Int, WeakMemory.Value, MemoryOrder)
    case add(Int, WeakMemory.Value, MemoryOrder)
    case exchange(Int, WeakMemory.Value, MemoryOrder)
    case compare(
      Int, expected: WeakMemory.Value, desired: WeakMemory.Value, MemoryOrder, failure: MemoryOrder,
      isWeak: Bool = false)
    case fence(MemoryOrder)

    /// `nil` for a fence.
    var location: Int? {
      switch self {
      case .load(let location, _), .store(let location, _, _), .add(let location, _, _),
        .exchange(let location, _, _), .compare(let location, _, _, _, _, _):
        location
      case .fence: nil
      }
    }

    var order: MemoryOrder {
      switch self {
      case .load(_, let order), .store(_, _, let order), .add(_, _, let order),
        .exchange(_, _, let order), .compare(_, _, _, let order, _, _), .fence(let order):
        order
      }
    }

    /// What is written in the place of a value.
    func written(over value: WeakMemory.Value) -> WeakMemory.Value {
      switch self {
      case .load, .fence: value
      case .store(_, let new, _), .exchange(_, let new, _): new
      case .add(_, let more, _): value &+ more
      case .compare(_, _, let desired, _, _, _): desired
      }
    }
  }

  /// What the threads have read, in order, and what each variable is at the end. An exchange that
  /// compares adds whether it has succeeded.
  struct Outcome: Hashable, CustomStringConvertible {
    var reads: [[WeakMemory.Value]]
    var ends: [WeakMemory.Value]

    var description: String {
      let reads = reads.map { $0.map(String.init).joined(separator: ",") }
      return reads.joined(separator: "|") + " → " + ends.map(String.init).joined(separator: ",")
    }
  }

  var name: String
  var threads: [[Operation]]

  init(_ name: String, _ threads: [Operation]...) { self.init(name, all: threads) }
  init(_ name: String, all threads: [[Operation]]) { (self.name, self.threads) = (name, threads) }

  var locations: Int { (threads.joined().compactMap(\.location).max() ?? -1) + 1 }
  var description: String { "\(name): \(threads)" }
}

/// Runs a litmus test on the model, in each order of its accesses and each way that there is.
struct LitmusRun {
  private let test: Litmus
  private var memory = WeakMemory()
  private var made: [Int]
  private var reads: [[WeakMemory.Value]]

  static func outcomes(of test: Litmus) -> Set<Litmus.Outcome> {
    var outcomes: Set<Litmus.Outcome> = []
    LitmusRun(test).goOn(&outcomes)
    return outcomes
  }

  private init(_ test: Litmus) {
    self.test = test
    made = test.threads.map { _ in 0 }
    reads = test.threads.map { _ in [] }
    for _ in 0..<test.locations { _ = memory.addLocation(0) }
  }

  private func goOn(_ outcomes: inout Set<Litmus.Outcome>) {
    var isOver = true
    for thread in test.threads.indices where made[thread] < test.threads[thread].count {
      isOver = false
      var choice = 0
      while true {
        var next = self
        let count = next.step(thread, choice)
        next.goOn(&outcomes)
        choice += 1
        if choice >= count { break }
      }
    }
    guard isOver else { return }
    let ends = (0..<test.locations).map { memory.newest($0).value }
    outcomes.insert(Litmus.Outcome(reads: reads, ends: ends))
  }

  /// Returns the number of choices that there were.
  private mutating func step(_ thread: Int, _ choice: Int) -> Int {
    let operation = test.threads[thread][made[thread]]
    made[thread] += 1
    guard let location = operation.location else {
      memory.fence(operation.order, by: UInt32(thread))
      return 1
    }
    let kind: WeakMemory.Access.Kind =
      switch operation {
      case .load, .fence: .load
      case .store: .store
      case .add, .exchange: .update
      case .compare(_, let expected, _, _, let failure, let isWeak):
        .compareExchange(expected: expected, isWeak: isWeak, failure: failure)
      }
    let access = WeakMemory.Access(kind, at: location, by: UInt32(thread), operation.order)
    let count = memory.choices(for: access)
    let effect = memory.perform(access, choice, changing: operation.written)
    switch operation {
    case .store, .fence: break
    case .load, .add, .exchange: reads[thread].append(effect.value)
    case .compare: reads[thread] += [effect.value, effect.written == nil ? 0 : 1]
    }
    return count
  }
}
