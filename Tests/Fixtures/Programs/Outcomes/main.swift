import Dispatch
import Foundation
import Threadmill

// harness-outcomes sets lock|queue|async|barrier|async-barrier|actor [PROGRAM,…]: for each small
// program the values that `outcomes` has found and those of a naive enumeration, and the same from
// the exhaustive strategy, but for those programs.
// harness-outcomes table|json|html|forbidden|fails|estimate|spellings: what users see.

let arguments = Array(CommandLine.arguments.dropFirst())

/// Every access is locked, and an update can still be lost.
final class Visitors: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0
  var value: Int {
    get { lock.withLock { number } }
    set { lock.withLock { number = newValue } }
  }
}

@Sendable func visit(twice body: @Sendable (Visitors) -> Void = { $0.value += 1 }) -> Int {
  let visitors = Visitors()
  DispatchQueue.concurrentPerform(iterations: 2) { _ in body(visitors) }
  return visitors.value
}

func tellSets<M: Machine>(_ machine: M.Type, _ tooLong: [Substring], first: Int) throws {
  for program in SmallProgram.all.dropFirst(first).prefix(5) {
    let usual = try outcomes { await machine.init().run(program) }
    let naive = program.everyOutcome
    var exhaustive = "long"
    if !tooLong.contains(Substring(program.name)) {
      let every = try outcomes(schedules: 40_000, strategy: .exhaustive) {
        await machine.init().run(program)
      }
      exhaustive =
        every.isComplete ? every.values == naive ? "equal" : "differs" : "incomplete"
    }
    print(program.name, usual.values == naive ? "equal" : "differs", exhaustive, naive.count)
  }
}

func tellReplays() throws {
  for program in SmallProgram.all {
    let found = try outcomes { await LockedMachine().run(program) }
    for outcome in found.all {
      let again = try outcomes(replaying: outcome.schedule) { await LockedMachine().run(program) }
      let isSame = again.values == [outcome.value] && again.all[0].divergence == nil
      let isSure = outcome.divergence == nil
      print(program.name, isSame ? "same" : "other", isSure ? "sure" : "unsure")
    }
  }
}

func tellSpellings() async throws {
  let outcomes = try outcomes {
    let visitors = Visitors()
    DispatchQueue.concurrentPerform(iterations: 2) { _ in visitors.value += 1 }
    return (visitors.value, "visits")
  }
  print("pair", outcomes.values == [.init(1, "visits"), .init(2, "visits")])
  let triple = try Threadmill.outcomes(schedules: 10) { (1, true, [2]) }
  print("triple", triple.values == [Tuple(1, true, [2])])
  let task = try Threadmill.outcomes { await Task { 7 }.value }
  print("task", task.values == [7])
  let sum = outcomes.counts.values.reduce(0, +)
  print("counts", sum == outcomes.schedules)
}

do {
  switch arguments.first {
  case "sets":
    let tooLong = arguments[2].split(separator: ",")
    let first = Int(arguments[3]) ?? 0
    switch arguments[1] {
    case "lock": try tellSets(LockedMachine.self, tooLong, first: first)
    case "queue": try tellSets(QueuedMachine.self, tooLong, first: first)
    case "async": try tellSets(AsynchronousMachine.self, tooLong, first: first)
    case "barrier": try tellSets(BarrierMachine.self, tooLong, first: first)
    case "async-barrier": try tellSets(AsynchronousBarrierMachine.self, tooLong, first: first)
    default: try tellSets(ActorMachine.self, tooLong, first: first)
    }
  case "replays": try tellReplays()
  case "table": print(try outcomes { visit() }.naming("lost update") { $0 < 2 })
  case "json": print(try outcomes { ["<\(visit())>\""] }.json)
  case "html": print(try outcomes { ["<\(visit())>\""] }.html)
  case "named":
    let found = try outcomes { visit() }.naming("lost update") { $0 < 2 }
    print("named", found.count(named: "lost update") == found.count(of: 1))
    print("some", found.count(of: 1) > 0 && found.count(of: 2) > 0)
    print("none", found.count(of: 3))
  case "forbidden":
    do { try outcomes { visit() }.allowing([2]) } catch let error as ForbiddenOutcome<Int> {
      print("value", error.value)
      print("again", try outcomes(replaying: error.schedule) { visit() }.values)
      print(error)
    }
    print("allowed", try outcomes { visit() }.allowing([1, 2]).values.count)
  case "fails":
    struct Wrong: Error {}
    do {
      _ = try outcomes {
        let seen = visit()
        if seen < 2 { throw Wrong() }
        return seen
      }
      print("failure none")
    } catch let failure as Exploration.Failure {
      print("failure", failure.causes.map { "\($0)" }.joined())
    }
  case "estimate":
    let program = SmallProgram.all[9]
    let every = try outcomes(schedules: 100_000, strategy: .exhaustive) {
      await LockedMachine().run(program)
    }
    let some = try outcomes(schedules: 256, strategy: .pos) { await LockedMachine().run(program) }
    print("complete", every.isComplete, every.statement)
    print("all", every.schedules)
    print("estimate", Int(some.estimatedSchedules ?? 0))
  default: try await tellSpellings()
  }
} catch {
  print("error", error)
}
