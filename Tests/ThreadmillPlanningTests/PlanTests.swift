import Testing
import ThreadmillHistories
import ThreadmillPlanning

/// Scenarios: which are made, in which order, and how they become simpler.
@Suite struct PlanTests {
  private static let operations = [
    PlanGenerator.Operation(arguments: 3), .init(arguments: 1, canBeCancelled: true),
  ]

  private static func plans(_ count: Int, seed: UInt64 = 1) -> [CallPlan] {
    var generator = PlanGenerator(operations, threads: 3, calls: 3, seed: seed)
    return generator.plans(count)
  }

  @Test func smallPlansComeFirst() {
    let plans = Self.plans(200)
    #expect(plans.count == 200)
    #expect(plans.map(\.count) == plans.map(\.count).sorted())
    #expect(
      plans.allSatisfy { 2...3 ~= $0.threads.count && $0.threads.allSatisfy { $0.count <= 3 } })
    #expect(plans.contains { $0.count == 9 })
  }

  @Test func noPlanComesTwice() {
    #expect(Set(Self.plans(300).map(\.canonical)).count == 300)
  }

  @Test func allOfAFewAreMade() {
    var generator = PlanGenerator([.init(arguments: 2)], threads: 2, calls: 1, seed: 7)
    #expect(generator.plans(100).count == 3)
  }

  @Test func theSameSeedMakesTheSamePlans() {
    #expect(Self.plans(50, seed: 3) == Self.plans(50, seed: 3))
    #expect(Self.plans(50, seed: 3) != Self.plans(50, seed: 4))
  }

  @Test func aPlanCanBeWrittenAndRead() {
    for plan in Self.plans(100) { #expect(CallPlan("\(plan)") == plan) }
    for text in ["", "|", "0", "0.", "0.1|", ".1|0.0", "0.1.2|0.0", "-1.0|0.0", "x.0|0.0"] {
      #expect(CallPlan(text) == nil, "\(text)")
    }
  }

  /// Every simpler plan has less of something and more of nothing, and one with two calls has none
  /// with fewer.
  @Test func simplerPlansAreSimpler() {
    func size(_ plan: CallPlan) -> Int {
      let calls = plan.threads.joined()
      return 1_000 * plan.count + 100 * plan.threads.count
        + calls.reduce(0) { $0 + $1.argument + ($1.isCancelled ? 10 : 0) }
    }
    for plan in Self.plans(200) {
      #expect(plan.simpler.allSatisfy { size($0) < size(plan) && $0.threads.count > 1 })
    }
    #expect(CallPlan(threads: [[.init(operation: 0)], [.init(operation: 1)]]).simpler == [])
    let three = CallPlan("0.2 1.0|1!.0")
    #expect(three?.simpler.map(\.description).first == "1.0|1!.0")
    #expect(three?.simpler.map(\.description).contains("0.2 1.0|1.0") == true)
    #expect(three?.simpler.map(\.description).contains("0.0 1.0|1!.0") == true)
  }
}
