import Testing
import ThreadmillModel
import let ThreadmillTestSupport.isThreadSanitized

@testable import ThreadmillScheduling

/// The model, held against the standard's text.
@Suite(.pureComputation) struct LitmusTests {
  static let shapes = Litmus.families + Litmus.mixed

  /// The shapes with outcomes that the text allows and the model leaves out.
  private static let leftOut: Set = [
    "LB, relaxed", "LB, with an update",
    // In the order S, an access or fence would come before one that it can only run after.
    "S against reads", "Z6.U, SC and weaker",
  ]

  @Test(arguments: shapes) func agrees(_ shape: Litmus) {
    let axioms = Axioms(shape)
    let reached = LitmusRun.outcomes(of: shape)
    #expect(reached.subtracting(axioms.allowed).isEmpty, "forbidden outcomes were reached")
    #expect(axioms.runnable.subtracting(reached).isEmpty, "outcomes were missed")
    #expect((axioms.allowed != reached) == Self.leftOut.contains(shape.name))
  }

  @Test func shapesAreMany() {
    #expect(Self.shapes.count >= 40)
    #expect(Set(Self.shapes.map(\.name)).count == Self.shapes.count)
  }

  /// Programs that nobody thought of.
  @Test(arguments: 1...8) func drawnProgramsAgree(_ seed: UInt64) {
    var chance = SplitMix64(seed: Seed(rawValue: seed))
    for number in 0..<50 {
      let test = Litmus.drawn(number, &chance)
      let axioms = Axioms(test)
      let reached = LitmusRun.outcomes(of: test)
      #expect(reached == axioms.runnable, "seed \(seed): \(test)")
      #expect(reached.isSubset(of: axioms.allowed), "seed \(seed): \(test)")
    }
  }

  /// A fence is one only if it is taken for one.
  @Test func axiomsTellStrengthsApart() {
    func outcomes(_ name: String) -> Int {
      Self.shapes.first { $0.name == name }.map { Axioms($0).allowed.count } ?? 0
    }
    #expect(outcomes("SB, relaxed") == 4)
    #expect(outcomes("SB, SC") == 3)
    #expect(outcomes("SB, SC fences") == 3)
    #expect(outcomes("SB, acquire/release") == 4)
    #expect(outcomes("MP, relaxed") == 4)
    #expect(outcomes("MP, acquire/release") == 3)
    #expect(outcomes("IRIW, acquire/release") == 16)
    #expect(outcomes("IRIW, SC") == 15)
    #expect(outcomes("LB, relaxed") == 4)
    #expect(outcomes("2+2W, relaxed") == 4)
    #expect(outcomes("2+2W, SC") == 3)
  }

  /// A location that has more stores than are kept goes on with the last ones.
  @Test func oldStoresAreForgotten() {
    var memory = WeakMemory()
    let location = memory.addLocation(0)
    for value in 1...200 {
      let store = WeakMemory.Access(.store, at: location, by: 0, .relaxed)
      _ = memory.choices(for: store)
      _ = memory.perform(store, 0) { _ in WeakMemory.Value(value) }
    }
    let load = WeakMemory.Access(.load, at: location, by: 1, .relaxed)
    #expect(memory.choices(for: load) == WeakMemory.mostStores)
    #expect(memory.perform(load, 63).value == 137)
    #expect(memory.choices(for: load) == WeakMemory.mostStores)
    #expect(memory.perform(load, 0).value == 200)
    #expect(memory.choices(for: load) == 1)
  }

  /// Stores that go in between again and again find a place.
  @Test func ranksDoNotRunOut() {
    var memory = WeakMemory()
    let location = memory.addLocation(0)
    for strand in 0..<UInt32(50) {
      let store = WeakMemory.Access(.store, at: location, by: strand, .relaxed)
      let count = memory.choices(for: store)
      #expect(count == strand + 1)
      _ = memory.perform(store, count - 1) { _ in WeakMemory.Value(strand) + 1 }
    }
    let load = WeakMemory.Access(.load, at: location, by: 99, .relaxed)
    #expect(memory.choices(for: load) == 51)
    var values: [WeakMemory.Value] = []
    for choice in 0..<51 {
      var copy = memory
      _ = copy.choices(for: load)
      values.append(copy.perform(load, choice).value)
    }
    #expect(values == Array(1...50) + [0])
  }

  /// Other operations order what comes before and after them.
  @Test func locksOrder() {
    var memory = WeakMemory()
    let location = memory.addLocation(0)
    let store = WeakMemory.Access(.store, at: location, by: 0, .relaxed)
    _ = memory.choices(for: store)
    _ = memory.perform(store, 0) { _ in 1 }
    let load = WeakMemory.Access(.load, at: location, by: 1, .relaxed)
    memory.synchronise(1)
    #expect(memory.choices(for: load) == 2)
    memory.synchronise(0)
    #expect(memory.choices(for: load) == 2)
    memory.synchronise(1)
    #expect(memory.choices(for: load) == 1)
  }
}

extension Litmus {
  /// Two or three threads with up to six accesses and fences, of any order.
  static func drawn(_ number: Int, _ chance: inout SplitMix64) -> Litmus {
    func below(_ count: UInt64) -> Int { Int(chance.next() % count) }
    let threads = 2 + below(2)
    let locations = UInt64(1 + below(2))
    var all: [[Operation]] = Array(repeating: [], count: threads)
    for value in 1...WeakMemory.Value(4 + below(3)) {
      let location = below(locations)
      let order = MemoryOrder.allCases[[0, 0, 2, 3, 4, 5, 5][below(7)]]
      let failure = MemoryOrder.allCases[[0, 2, 5][below(3)]]
      let operation: Operation =
        switch below(12) {
        case 0..<4: .load(location, order)
        case 4..<8: .store(location, value, order)
        case 8: .exchange(location, value, order)
        case 9: .fence(order == .relaxed ? .sequential : order)
        case 10: .fence(.sequential)
        default:
          .compare(
            location, expected: 0, desired: value, order, failure: failure,
            isWeak: below(2) == 0)
        }
      all[below(UInt64(threads))].append(operation)
    }
    return Litmus("drawn \(number)", all: all)
  }
}
