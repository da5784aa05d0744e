import Testing
import ThreadmillModel
import ThreadmillScheduling

/// Strategies that let time pass while strands can go on.
@Suite struct RestTests {
  /// The first strand works, and the second one sleeps: by itself, until the first one has ended.
  /// Each stands at a line of its own before its second step.
  private struct Course {
    var made = [0, 0]
    var isAwake = false
    var strands: [UInt32] = []
    var rests = 0
    var hasMet = false

    var offers: [Offer] {
      let ready = (0..<2).filter { made[$0] < 3 && ($0 == 0 || isAwake || made[0] == 3) }
      return ready.map { strand in
        Offer(
          strand: UInt32(strand), .lock, object: UInt64(strand + 1),
          lines: made[strand] == 1 ? UInt16(strand + 1) : 0)
      }
    }
  }

  /// Makes one schedule.
  ///
  /// - Parameter wakes: whether the second strand comes if time passes.
  private func run<Choice: Strategy>(_ strategy: inout Choice, wakes: Bool = true) -> Course {
    var course = Course()
    let mayRest = strategy.mayLetTimePass
    while true {
      let offers = course.offers
      if offers.isEmpty { break }
      strategy.mayLetTimePass = mayRest && !course.isAwake && course.made[0] < 3
      course.hasMet = course.hasMet || offers.reduce(0) { $0 | $1.lines } == 3
      let running = offers.firstIndex { $0.strand == course.strands.last }
      let chosen = offers.withUnsafeBufferPointer { strategy.next($0, running: running) }
      if chosen < 0 {
        course.rests += 1
        course.isAwake = wakes
        continue
      }
      course.made[Int(offers[chosen].strand)] += 1
      course.strands.append(offers[chosen].strand)
    }
    strategy.ended(.completed)
    return course
  }

  private static let schedules = 100

  private func runAll(mayRest: Bool, wakes: Bool = true) -> [Course] {
    var led = StrategyPortfolio(.randomWalk, seed: Seed(rawValue: 5), lines: 2)
    return (0..<Self.schedules).map { number in
      _ = led.begin(schedule: number)
      led.mayLetTimePass = mayRest
      return run(&led, wakes: wakes)
    }
  }

  /// Three schedules of four are led, and half of these hold the first strand when it first comes
  /// to its line; the others if no step is to pass there. The seed is fixed.
  @Test func aSleeperComesToAStrandThatIsHeld() {
    let courses = runAll(mayRest: true)
    #expect(courses.count(where: \.hasMet) >= 25)
    // Once is enough to wake it.
    #expect(courses.allSatisfy { $0.rests == ($0.hasMet ? 1 : 0) })
  }

  @Test func withoutLeaveNobodyIsOvertaken() {
    let courses = runAll(mayRest: false)
    #expect(courses.allSatisfy { $0.strands == [0, 0, 0, 1, 1, 1] && $0.rests == 0 })
  }

  /// Nothing that sleeps is for ever, and no strand is held for ever either.
  @Test func whoNeverComesIsGivenUp() {
    let courses = runAll(mayRest: true, wakes: false)
    #expect(courses.map(\.rests).max() == 100)
    #expect(courses.allSatisfy { $0.strands == [0, 0, 0, 1, 1, 1] })
  }

  /// The order of a schedule in which the second strand overtook the first one.
  private static let overtaken = Schedule(
    turns: [
      .init(strand: 0, length: 1), .init(strand: 1, length: 3, isForced: true),
      .init(strand: 0, length: 2),
    ],
    steps: [0, 1, 1, 1, 0, 0].map { Offer(strand: $0, .lock, object: UInt64($0 + 1)) })

  @Test func aReplayWaitsForAStrandThatIsNotReady() {
    var replay = Replay(Self.overtaken)
    _ = replay.begin(schedule: 0)
    replay.mayLetTimePass = true
    let course = run(&replay)
    #expect(course.strands == [0, 1, 1, 1, 0, 0] && course.rests == 1)
    #expect(replay.divergence == nil)

    var other = Replay(Self.overtaken)
    _ = other.begin(schedule: 0)
    _ = run(&other)
    #expect(other.divergence?.kind == .strandNotReady && other.divergence?.steps == 1...1)
  }

  @Test func aPlanWaitsForAStrandThatIsNotReady() {
    var plan = Steered(SwitchPlan(Self.overtaken))
    _ = plan.begin(schedule: 0)
    plan.mayLetTimePass = true
    let course = run(&plan)
    #expect(course.strands == [0, 1, 1, 1, 0, 0] && course.rests == 1)

    var other = Steered(SwitchPlan(Self.overtaken))
    _ = other.begin(schedule: 0)
    #expect(run(&other).strands == [0, 0, 0, 1, 1, 1])
  }
}
