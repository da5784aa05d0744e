import ThreadmillModel

/// Who goes next: the one question that a strategy answers, again and again, over many schedules.
///
/// A strategy knows no threads, no locks and no output. It allocates when it sees more strands, or
/// a longer schedule, than ever before; not at every point.
package protocol Strategy: Sendable {
  /// Gets ready for a schedule. Numbers count from 0 and rise; chance comes from the seed and the
  /// number, and from what was learnt of the schedules before.
  ///
  /// - Returns: whether there is one; `false` where everything has been covered.
  mutating func begin(schedule number: Int) -> Bool

  /// Chooses who makes the next step.
  ///
  /// - Parameters:
  ///   - enabled: what can be done next: one offer for each strand that can go on, at least one,
  ///     in the order of the strands' numbers.
  ///   - running: the index of the strand that made the last step; `nil` if it cannot go on, and
  ///     before the first step.
  /// - Returns: an index of `enabled`, or ``Course/timePasses``.
  mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int

  /// Whether ``next(_:running:)`` may let time pass.
  var mayLetTimePass: Bool { get set }

  /// Chooses among the ways in which the access of the last step can take place; see
  /// ``WeakMemory/choices(for:)``.
  ///
  /// - Parameter count: at least 2.
  /// - Returns: 0 for the newest store, or another one below `count`.
  mutating func pick(_ count: Int) -> Int

  /// Whether ``left(waiting:)`` is to be called.
  var asksForWaiting: Bool { get }

  /// Learns the next steps of the strands that can never go on. Called before ``ended(_:)``, unless
  /// there are none.
  mutating func left(waiting: [Offer])

  /// Learns what became of the schedule that has begun.
  mutating func ended(_ outcome: ScheduleOutcome)

  /// Whether it repeats a schedule step by step, and so chooses for itself even where that is not
  /// fair; see ``Fairness``.
  var repeatsSchedule: Bool { get }

  /// Learns that the program's state is looked at between any two steps, in this schedule and in
  /// later ones: the order of steps that cannot see each other matters, too.
  mutating func stateIsWatched()
}

extension Strategy {
  /// Most strategies never let time pass: nobody who sleeps overtakes somebody who works.
  package var mayLetTimePass: Bool {
    get { false }
    set {}
  }
  package mutating func stateIsWatched() {}
  package var repeatsSchedule: Bool { false }
  package var asksForWaiting: Bool { false }
  package mutating func left(waiting: [Offer]) {}
  package mutating func pick(_ count: Int) -> Int { 0 }
}

/// What happens where nobody says anything: the strand goes on that made the last step; when it
/// gives the processor up, the one after it has its turn, and when it cannot go on, the first.
package enum Course {
  /// In the place of a choice: the next sleep or time limit is to end first, although strands can
  /// go on. The strategy is then asked again.
  package static let timePasses = -1

  @inline(__always)
  static func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    guard let running else { return 0 }
    guard enabled[running].operation == .yield else { return running }
    return running + 1 == enabled.count ? 0 : running + 1
  }

  /// Whether a choice takes the turn away from a strand that could go on and did not give it up.
  @inline(__always)
  package static func isForced(
    _ enabled: UnsafeBufferPointer<Offer>, running: Int?, chosen: Int
  ) -> Bool {
    guard let running else { return false }
    return chosen != running && enabled[running].operation != .yield
  }
}

/// Numbers from a seed, anew for each schedule.
struct Chance {
  private var generator: SplitMix64
  private let seed: Seed

  /// - Parameter salt: strategies with one seed must not draw the same.
  init(_ seed: Seed, salt: UInt64) {
    self.seed = Seed(rawValue: seed.rawValue ^ salt &* 0xD6E8_FEB8_6659_FD93)
    generator = SplitMix64(seed: self.seed)
  }

  mutating func begin(schedule number: Int) {
    generator = SplitMix64(seed: .derived(from: seed, number))
  }

  @inline(__always)
  mutating func number() -> UInt64 { generator.next() }

  /// From 0 up to, but not including, 1.
  mutating func fraction() -> Double { Double(generator.next() >> 11) * 0x1p-53 }

  /// From 0 on. The numbers are equally likely, to within `count` of 2^64.
  @inline(__always)
  mutating func below(_ count: Int) -> Int {
    Int(generator.next().multipliedFullWidth(by: UInt64(count)).high)
  }

  /// Any one of them; `nil` if there is none.
  mutating func one<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }
}

/// A value for each strand, which are few and have small numbers.
struct PerStrand<Value: Sendable>: Sendable {
  private var values: [Value] = []
  private let initial: Value

  init(_ initial: Value) { self.initial = initial }

  /// How many strands there may have been.
  var count: Int { values.count }

  mutating func reset() {
    for index in values.indices { values[index] = initial }
  }

  subscript(strand: UInt32) -> Value {
    @inline(__always) mutating get {
      if strand >= values.count { grow(to: strand) }
      return values[Int(strand)]
    }
    @inline(__always) _modify {
      if strand >= values.count { grow(to: strand) }
      yield &values[Int(strand)]
    }
  }

  /// The same, without making room.
  @inline(__always)
  func value(_ strand: UInt32) -> Value {
    strand < values.count ? values[Int(strand)] : initial
  }

  private mutating func grow(to strand: UInt32) {
    values += Array(repeating: initial, count: Int(strand) + 1 - values.count)
  }
}
