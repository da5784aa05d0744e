import ThreadmillScheduling

private typealias Operation = Litmus.Operation
private let (x, y, z) = (0, 1, 2)

private func read(_ location: Int, _ order: MemoryOrder = .relaxed) -> Operation {
  .load(location, order)
}

private func write(
  _ location: Int, _ value: WeakMemory.Value = 1, _ order: MemoryOrder = .relaxed
) -> Operation { .store(location, value, order) }

private func add(_ location: Int, _ order: MemoryOrder = .relaxed) -> Operation {
  .add(location, 1, order)
}

private func swap(
  _ location: Int, _ value: WeakMemory.Value = 1, _ order: MemoryOrder = .relaxed
) -> Operation { .exchange(location, value, order) }

private func fence(_ order: MemoryOrder) -> Operation { .fence(order) }

/// How strong the loads and stores of a shape are, and what stands between two of them.
private struct Strength {
  var name: String
  var load = MemoryOrder.relaxed
  var store = MemoryOrder.relaxed
  var between: [Operation] = []

  static let relaxed = Strength(name: "relaxed")
  static let paired = Strength(name: "acquire/release", load: .acquire, store: .release)
  static let sequential = Strength(name: "SC", load: .sequential, store: .sequential)
  static let fences = Strength(name: "SC fences", between: [.fence(.sequential)])
  static let pairedFences = Strength(name: "fences", between: [.fence(.acquireRelease)])
  static let all = [relaxed, paired, sequential, pairedFences, fences]
  static let three = [relaxed, paired, sequential]

  /// The operations of one thread; `nil` is a read.
  func operations(_ accesses: [(location: Int, value: WeakMemory.Value?)]) -> [Operation] {
    var operations: [Operation] = []
    for (index, access) in accesses.enumerated() {
      if index > 0 { operations += between }
      operations.append(
        access.value.map { .store(access.location, $0, store) } ?? .load(access.location, load))
    }
    return operations
  }
}

extension Litmus {
  private static func family(
    _ name: String, _ strengths: [Strength],
    _ threads: [[(location: Int, value: WeakMemory.Value?)]]
  ) -> [Litmus] {
    strengths.map { Litmus("\(name), \($0.name)", all: threads.map($0.operations)) }
  }

  /// The shapes of the literature, by their usual names; a value of `nil` is a read.
  static let families: [Litmus] =
    family("SB", Strength.all, [[(x, 1), (y, nil)], [(y, 1), (x, nil)]])
    + family("MP", Strength.all, [[(x, 1), (y, 1)], [(y, nil), (x, nil)]])
    + family("LB", Strength.all, [[(x, nil), (y, 1)], [(y, nil), (x, 1)]])
    + family("2+2W", Strength.all, [[(x, 1), (y, 2)], [(y, 1), (x, 2)]])
    + family("R", Strength.all, [[(x, 1), (y, 1)], [(y, 2), (x, nil)]])
    + family("S", Strength.all, [[(x, 2), (y, 1)], [(y, nil), (x, 1)]])
    + family("WRC", Strength.all, [[(x, 1)], [(x, nil), (y, 1)], [(y, nil), (x, nil)]])
    + family("RWC", Strength.all, [[(x, 1)], [(x, nil), (y, nil)], [(y, 1), (x, nil)]])
    + family(
      "W+RWC", Strength.all, [[(x, 1), (z, 1)], [(z, nil), (y, nil)], [(y, 1), (x, nil)]])
    + family(
      "ISA2", Strength.all, [[(x, 1), (y, 1)], [(y, nil), (z, 1)], [(z, nil), (x, nil)]])
    + family(
      "Z6.3", Strength.three, [[(x, 1), (y, 1)], [(y, 2), (z, 1)], [(z, nil), (x, nil)]])
    + family(
      "IRIW", Strength.all,
      [[(x, 1)], [(y, 1)], [(x, nil), (y, nil)], [(y, nil), (x, nil)]])
    + family("CoRR", Strength.three, [[(x, 1)], [(x, nil), (x, nil)]])
    + family(
      "CoRR2", Strength.three, [[(x, 1)], [(x, 2)], [(x, nil), (x, nil)], [(x, nil), (x, nil)]])
    + family("CoWW", Strength.three, [[(x, 1), (x, 2)], [(x, nil)]])
    + family("CoWR", Strength.three, [[(x, 1), (x, nil)], [(x, 2)]])
    + family("CoRW1", Strength.three, [[(x, nil), (x, 1)]])
    + family("CoRW2", Strength.three, [[(x, nil), (x, 1)], [(x, 2)]])

  /// What the families do not have: mixed orders, read-modify-writes, release sequences.
  static let mixed: [Litmus] = [
    Litmus("MP, release only", [write(x), write(y, 1, .release)], [read(y), read(x)]),
    Litmus("MP, acquire only", [write(x), write(y)], [read(y, .acquire), read(x)]),
    Litmus("MP, consume", [write(x), write(y, 1, .release)], [read(y, .consume), read(x)]),
    Litmus(
      "MP, release fence", [write(x), fence(.release), write(y)], [read(y, .acquire), read(x)]),
    Litmus(
      "MP, acquire fence", [write(x), write(y, 1, .release)],
      [read(y), fence(.acquire), read(x)]),
    Litmus(
      "MP, fences in the wrong places", [fence(.release), write(x), write(y)],
      [fence(.acquire), read(y), read(x)]),
    Litmus(
      "MP, a release sequence", [write(x), write(y, 1, .release)], [add(y)],
      [read(y, .acquire), read(x)]),
    Litmus(
      "MP, a sequence of two", [write(x), write(y, 1, .release)], [add(y)], [add(y)],
      [read(y, .acquire), read(x)]),
    Litmus(
      "MP, a sequence behind a fence", [write(x), fence(.release), write(y)], [add(y)],
      [read(y), fence(.acquire), read(x)]),
    Litmus(
      "MP, a broken sequence", [write(x), write(y, 1, .release), write(y, 2)],
      [read(y, .acquire), read(x)]),
    Litmus(
      "MP, a foreign store", [write(x), write(y, 1, .release)], [write(y, 2)],
      [read(y, .acquire), read(x)]),
    Litmus(
      "MP, updates", [write(x), add(y, .release)], [add(y, .acquire), read(x)]),
    Litmus("MP, relaxed updates", [write(x), add(y)], [add(y), read(x)]),
    Litmus(
      "MP, by an exchange that compares", [write(x), write(y, 1, .release)],
      [
        .compare(y, expected: 1, desired: 2, .acquire, failure: .relaxed), read(x),
      ]),
    Litmus(
      "MP, by one that fails", [write(x), write(y, 1, .release)],
      [.compare(y, expected: 0, desired: 2, .relaxed, failure: .acquire), read(x)]),
    Litmus(
      "a weak exchange", [write(x), write(y, 1, .release)],
      [
        .compare(y, expected: 1, desired: 2, .acquire, failure: .relaxed, isWeak: true), read(x),
      ]),
    Litmus(
      "two exchanges for one", [.compare(x, expected: 0, desired: 1, .relaxed, failure: .relaxed)],
      [.compare(x, expected: 0, desired: 2, .relaxed, failure: .relaxed)],
      [write(x, 0), read(x)]),
    Litmus("two updates", [add(x), read(x)], [add(x)], [read(x)]),
    Litmus("an update and a store", [add(x)], [write(x, 5)], [read(x), read(x)]),
    Litmus("SB, exchanges", [swap(x), read(y)], [swap(y), read(x)]),
    Litmus(
      "SB, strong exchanges", [swap(x, 1, .acquireRelease), read(y, .acquire)],
      [swap(y, 1, .acquireRelease), read(x, .acquire)]),
    Litmus(
      "SB, one fence", [write(x), fence(.sequential), read(y)], [write(y), read(x)]),
    Litmus(
      "SB, a fence and SC", [write(x), fence(.sequential), read(y)],
      [write(y, 1, .sequential), read(x, .sequential)]),
    Litmus(
      "SB, reads by updates of nothing", [write(x), .add(y, 0, .acquireRelease)],
      [write(y), .add(x, 0, .acquireRelease)]),
    Litmus("LB, with an update", [add(x), write(y)], [read(y), write(x, 5)]),
    Litmus("2+2W, exchanges", [write(x), write(y, 2)], [swap(y), swap(x, 2)]),
    Litmus("2+2W, one exchange", [swap(x), write(y, 2)], [write(y), write(x, 2)]),
    Litmus(
      "2+2W, one release", [write(x), write(y, 2, .release)],
      [write(y, 1, .acquireRelease), write(x, 2, .release)]),
    Litmus(
      "R, mixed", [write(x), write(y, 1, .release)],
      [write(y, 2, .sequential), read(x, .sequential)]),
    Litmus(
      "Z6.U, SC and weaker", [write(x, 1, .sequential), write(y, 1, .release)],
      [add(y, .sequential), read(y, .relaxed)],
      [write(y, 3, .sequential), read(x, .sequential)]),
    Litmus(
      "IRIW, SC writes only", [write(x, 1, .sequential)], [write(y, 1, .sequential)],
      [read(x, .acquire), read(y, .acquire)], [read(y, .acquire), read(x, .acquire)]),
    Litmus(
      "IRIW, SC reads only", [write(x, 1, .release)], [write(y, 1, .release)],
      [read(x, .sequential), read(y, .sequential)], [read(y, .sequential), read(x, .sequential)]),
    Litmus(
      "S against reads", [write(y), fence(.sequential), write(x)], [read(x), write(z)],
      [read(z), fence(.sequential), read(y)]),
    Litmus(
      "WRC, a fence in the middle", [write(x)], [read(x), fence(.sequential), write(y)],
      [read(y, .acquire), read(x)]),
    Litmus(
      "a fence that others saw", [write(x), fence(.sequential), write(y, 1, .release)],
      [read(y, .acquire), write(z)], [write(z, 2), fence(.sequential), read(x)]),
    Litmus("reads of own stores", [write(x), read(x), write(x, 2), read(x)], [read(x), read(x)]),
  ]
}
