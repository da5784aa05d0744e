import Foundation
import Testing
import ThreadmillTestSupport

/// What a person sees of a schedule that goes wrong: each step with its line of source.
@Suite struct ExploreStoryTests {
  /// The lines of the table and below, without the numbers of objects.
  private static func story(_ name: String) async throws -> [String] {
    let output = try await Watched(
      program: "harness-explored", arguments: [name], options: ""
    ).run().child.standardOutput.replacing(#/\bL\d+\b/#, with: "L")
    let lines = output.split(separator: "\n").drop { !$0.contains("The schedule, ") }
    try #require(!lines.isEmpty, "\(output)")
    return lines.map { $0.split(separator: " ").joined(separator: " ") }
  }

  @Test func aDeadlockIsToldStepByStep() async throws {
    let lines = try await Self.story("opposite-locks")
    #expect(lines[0] == "The schedule, 8 steps; > marks a switch away from one that could go on")
    #expect(lines[1] == "step body thread 1 thread 2")
    #expect(lines[2] == "1 begin")
    #expect(lines[3].hasPrefix("2 start a thread Bodies.swift:"))
    #expect(lines[6].hasPrefix("6 lock mutex L Bodies.swift:"))
    #expect(lines[6].contains("first.withLock"))
    #expect(lines[7].hasPrefix("7 > begin"))
    #expect(lines[9] == "At the end these cannot go on:")
    #expect(lines[10].hasPrefix("body waits for semaphore L Bodies.swift:"))
    #expect(lines[11].hasPrefix("thread 1 waits to lock mutex L, which thread 2 has Bodies.swift:"))
    #expect(lines[12].hasPrefix("thread 2 waits to lock mutex L, which thread 1 has Bodies.swift:"))
    #expect(lines[13].hasPrefix("To repeat: try explore(replaying: Schedule(parsing: \"tm1:"))
    #expect(lines.count == 14)
  }

  @Test func aLostSignalIsToldWithWhoWaits() async throws {
    let lines = try await Self.story("lost-wakeup")
    #expect(lines.contains { $0.hasPrefix("10 signal condition L Bodies.swift:") })
    #expect(lines.contains { $0.hasPrefix("thread 1 waits for condition L Bodies.swift:") })
  }

  @Test func tasksAreToldByWhereTheyGoOn() async throws {
    let lines = try await Self.story("reentrancy")
    #expect(lines[1].hasPrefix("step body task 1 task 2"))
    let yields = lines.filter { $0.contains("go on Tasks.swift:") }
      .filter { $0.hasSuffix("await Task.yield()") }
    #expect(yields.count == 2)
  }

  /// A hop is told with the actor, and with the line that the task goes on with there; one that is
  /// to no actor says nothing.
  @Test func hopsAreToldByTheirActors() async throws {
    let lines = try await Self.story("reentrancy")
    let hops = lines.filter { $0.contains("hop to actor Account #") }
    #expect(hops.contains { $0.hasSuffix("guard balance >= amount else { return }") })
    #expect(hops.contains { $0.hasSuffix("balance -= amount") })
    #expect(hops.allSatisfy { $0.contains(" Tasks.swift:") })
    #expect(!lines.contains { $0.contains("leave the actor") || $0.contains("pass a point") })
  }

  /// Nothing of it is on any thread then.
  @Test func aTaskThatStoodAtAHopIsToldWithItsCallers() async throws {
    let output = try await Watched(
      program: "harness-explored", arguments: ["late"], options: ""
    ).run().child.standardOutput
    #expect(
      output == "calls static Orders.visit(_:_:) closure #1 in closure #1 in closure #1 "
        + "in static Orders.late()\n")
  }

  @Test func blocksAreToldWithTheirQueues() async throws {
    let lines = try await Self.story("synced-accessors")
    #expect(lines[1] == "step body block 1 block 2")
    #expect(lines.contains { $0.contains("lock serial queue \"accessors\" Bodies.swift:") })
  }

  /// Where somebody else may have it, nobody is accused.
  @Test(arguments: [
    ("held-queue", "body waits to lock serial queue \"held\" Unsteady.swift:"),
    ("tried-lock", "body waits to lock mutex L Unsteady.swift:"),
  ])
  func whoHadSomethingBeforeIsNotSaidToHaveIt(name: String, wait: String) async throws {
    let lines = try await Self.story(name)
    #expect(lines.contains { $0.hasPrefix(wait) }, "\(lines.joined(separator: "\n"))")
  }

  /// Threads give themselves their names after they have begun.
  @Test func threadsAreToldByTheirNames() async throws {
    let lines = try await Self.story("named-threads")
    #expect(lines[1] == "step body thread \"saw\" 2 thread \"saw\"")
  }

  @Test(arguments: [("spinning", "body"), ("livelock", "thread 2")])
  func anEndlessScheduleSaysWhatItSpinsOn(name: String, who: String) async throws {
    let lines = try await Self.story(name)
    let heading = "No end within 100000 steps. The last 64 of them:"
    let place = try #require(lines.firstIndex(of: heading))
    let habits = lines[(place + 1)...].dropLast()
    #expect(!habits.isEmpty)
    for habit in habits {
      let pattern = #/(.+): (un)?lock mutex L, \d+ times Unsteady.swift:\d+ .*withLock.*/#
      #expect(habit.wholeMatch(of: pattern)?.1 == who[...], "\(habit)")
    }
  }
}
