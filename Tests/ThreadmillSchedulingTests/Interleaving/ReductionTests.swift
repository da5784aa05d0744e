import Testing
import ThreadmillMachine
import ThreadmillModel
import let ThreadmillTestSupport.isThreadSanitized

@testable import ThreadmillScheduling

/// One schedule of each class, held against all schedules.
@Suite(.pureComputation) struct ReductionTests {
  /// How a program can end.
  private struct End: Hashable {
    var end: Machine.End
    var cells: [Int]
  }

  /// The order of the steps of a schedule that depend on each other, each by its strand and number.
  private struct Class: Hashable {
    private var pairs: Set<[Int]> = []
    private let steps: Int

    init(_ steps: [Offer]) {
      self.steps = steps.count
      var made: [UInt32: Int] = [:]
      let names = steps.map { step in
        made[step.strand, default: 0] += 1
        return [Int(step.strand), made[step.strand] ?? 0]
      }
      for second in steps.indices {
        for first in 0..<second
        where steps[first].strand != steps[second].strand
          && steps[first].depends(on: steps[second])
        {
          pairs.insert(names[first] + names[second])
        }
      }
    }
  }

  /// All schedules of a program, by going every way at every step.
  private struct Twin {
    var schedules = 0
    var ends: Set<End> = []
    var classes: Set<Class> = []

    init(_ program: Program) { walk(Machine(program), []) }

    private mutating func walk(_ machine: Machine, _ steps: [Offer]) {
      if let end = machine.end {
        schedules += 1
        ends.insert(End(end: end, cells: machine.cells))
        classes.insert(Class(steps))
        return
      }
      for (index, step) in machine.enabled.enumerated() {
        var copy = machine
        copy.step(index)
        walk(copy, steps + [step])
      }
    }
  }

  /// What the reduced search came to.
  private struct Search {
    var ends: Set<End> = []
    /// In how many schedules each class was shown.
    var classes: [Class: Int] = [:]
    let strategy: SourceSets

    init(_ program: Program) {
      var exploration = Exploration(program, SourceSets())
      while let end = exploration.next() {
        ends.insert(End(end: end, cells: exploration.cells))
        classes[Class(exploration.recorder.steps), default: 0] += 1
      }
      strategy = exploration.strategy
    }
  }

  /// The schedule goes on after a check that did not hold, as that of a real program does.
  private static func whole(_ program: Program) -> Program {
    var program = program
    program.outlivesFailure = true
    return program
  }

  private func expectLikeTwin(_ program: Program) -> Twin {
    let (search, twin) = (Search(program), Twin(program))
    #expect(search.ends == twin.ends, "\(program.name)")
    #expect(Set(search.classes.keys) == twin.classes, "\(program.name)")
    #expect(search.strategy.classes == twin.classes.count, "\(program.name)")
    #expect(search.strategy.coverage == .complete)
    let executions = search.classes.values.reduce(0, +)
    #expect(search.strategy.executions == executions)
    #expect(search.strategy.repetitions == executions - twin.classes.count)
    return twin
  }

  @Test(arguments: [
    Program.abba, .lostUpdate(), .lostUpdate(padding: 1), .twoLockedCalls, .workStealing, .aba,
    .twoStage, .account, .lazy, .family, .philosophers(2), .philosophers(3), .reorder(setters: 2),
    .lastZero(2), .lastZero(3), .readers(3), missedSignal, joins, semaphores,
  ])
  func endsAndClassesAreThoseOfTheNaiveTwin(program: Program) {
    _ = expectLikeTwin(Self.whole(program))
  }

  /// A signal that comes before the wait is lost.
  private static let missedSignal = Program(
    "missed-signal", cells: [0], mutexes: 1, conditions: 1,
    strands: [
      [
        .read(0, into: 0), .skipIf(.register(0), .unequal, 0, 3), .lock(0),
        .await(condition: 0, mutex: 0), .unlock(0),
      ],
      [.write(0, 1), .notify(condition: 0, all: false)],
    ])

  private static let joins = Program(
    "joins", cells: [0, 0], mutexes: 1, started: 1,
    strands: [
      [
        .spawn(1), .spawn(2), .read(0, into: 0), .join(1), .read(1, into: 0), .join(2),
        .read(0, into: 1),
      ],
      [.lock(0), .write(0, 1), .unlock(0), .write(1, 1)], [.lock(0), .write(1, 2), .unlock(0)],
    ])

  /// One strand waits for ever if the other two come first.
  private static let semaphores = Program(
    "semaphores", cells: [0, 0], semaphores: [0, 1],
    strands: [
      [.wait(0), .read(0, into: 0), .write(1, .register(0))], [.wait(1), .wait(0), .write(0, 2)],
      [.signal(0), .write(0, 1)],
    ])

  /// Programs that are drawn, many of which deadlock.
  @Test func drawnProgramsAreLikeTheNaiveTwin() {
    var chance = SplitMix64(seed: Seed(rawValue: 22))
    var (schedules, classes) = (0, 0)
    for number in 0..<300 {
      let strands = (0..<3).map { _ in Self.drawn(&chance) }
      let program = Program(
        "drawn-\(number)", cells: [0, 0], mutexes: 2, conditions: 1, semaphores: [1],
        strands: strands)
      let twin = expectLikeTwin(program)
      schedules += twin.schedules
      classes += twin.classes.count
    }
    #expect(classes < schedules)
  }

  /// One or two small parts of a strand.
  private static func drawn(_ chance: inout SplitMix64) -> [Instruction] {
    let (cell, mutex) = (Int(chance.next() % 2), Int(chance.next() % 2))
    let other: Instruction = chance.next() % 2 == 0 ? .write(0, 3) : .read(.constant(cell), into: 1)
    let parts: [[Instruction]] = [
      [.read(.constant(cell), into: 0), .write(.constant(1 - cell), .register(0))],
      [.lock(mutex), other, .unlock(mutex)],
      [.lock(mutex), .lock(1 - mutex), .unlock(mutex), .unlock(1 - mutex)],
      [.wait(0), other, .signal(0)], [.signal(0), other],
      [.compareAndSwap(.constant(cell), expected: 0, desired: 1, into: 0), other],
      [.lock(mutex), .await(condition: 0, mutex: mutex), .unlock(mutex)],
      [.write(.constant(cell), 2), .notify(condition: 0, all: mutex == 0)], [.yield, other],
    ]
    return parts[Int(chance.next() % UInt64(parts.count))]
  }

  /// The numbers of classes that are published, and not more schedules than source sets took there
  /// where each class took one.
  @Test(arguments: [
    (Program.fileSystem(14), 2), (.fileSystem(16), 8), (.fileSystem(18), 32),
    (.fileSystem(19), 64), (.indexer(12), 8), (.readers(8), 256),
  ])
  func textbooksHaveAsManyClassesAsPublished(program: Program, classes: Int) {
    let strategy = Search(program).strategy
    #expect(strategy.classes == classes)
    #expect(strategy.executions == classes)
  }

  /// Published: 64 classes, for which source sets take 79 schedules.
  @Test func theLastZeroTakesFewRepetitions() {
    let strategy = Search(.lastZero(5)).strategy
    #expect(strategy.classes == 64)
    #expect(strategy.executions <= 79)
  }

  @Test func independentStepsHaveOneSchedule() {
    #expect(Search(.independent(4, 4)).strategy.executions == 1)
    #expect(Search(.independent(2, 2, 2)).strategy.executions == 1)
    #expect(Twin(.independent(4, 4)).schedules == 70)
  }

  /// Runs two strands with so many steps on one object; more than two steps begin on another one.
  private static func run(_ strategy: inout SourceSets, _ lengths: [Int]) {
    var left = lengths
    while left.reduce(0, +) > 0 {
      let able = left.indices.filter { left[$0] > 0 }
      let offers = able.map { Offer(strand: UInt32($0), .write, object: left[$0] > 2 ? 7 : 1) }
      let chosen = offers.withUnsafeBufferPointer { strategy.next($0, running: nil) }
      left[Int(offers[chosen].strand)] -= 1
    }
  }

  /// A program of which the first run makes another step than all later ones is covered; one that
  /// gets shorter from run to run is not.
  @Test func aFirstRunOfItsOwnIsNoHindrance() {
    func search(_ lengths: (Int) -> Int) -> SourceSets {
      var strategy = SourceSets()
      for number in 0..<100 where strategy.begin(schedule: number) {
        Self.run(&strategy, [lengths(number), 2])
        strategy.ended(.completed)
      }
      return strategy
    }
    let once = search { $0 == 0 ? 3 : 2 }
    #expect(once.coverage == .complete)
    #expect(once.mismatches == 0)
    #expect(once.classes >= 6, "the six orders of two steps each")
    let shrinking = search { max(1, 8 - $0) }
    #expect(shrinking.coverage == .open)
    #expect(shrinking.mismatches > 0)
  }
}
