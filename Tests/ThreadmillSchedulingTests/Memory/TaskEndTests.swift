import Testing
import ThreadmillScheduling

/// A task may await another one that has ended without a call that the gate sees.
@Suite struct TaskEndTests {
  private var memory = WeakMemory()
  private var location = 0

  init() { begin() }

  private mutating func begin() {
    memory.removeAll()
    location = memory.addLocation(0)
  }

  private mutating func store(_ value: WeakMemory.Value, by strand: UInt32) {
    let access = WeakMemory.Access(.store, at: location, by: strand, .relaxed)
    _ = memory.choices(for: access)
    _ = memory.perform(access, 0) { _ in value }
  }

  private mutating func choicesOfALoad(by strand: UInt32) -> Int {
    memory.choices(for: WeakMemory.Access(.load, at: location, by: strand, .relaxed))
  }

  @Test mutating func whatAnEndedTaskHasStoredIsSeen() {
    store(1, by: 1)
    store(2, by: 1)
    memory.learnOfEndedJobs(2)
    #expect(choicesOfALoad(by: 2) == 3)
    memory.endJob(of: 1)
    // Whoever is no task awaits none.
    #expect(choicesOfALoad(by: 2) == 3)
    memory.learnOfEndedJobs(2)
    #expect(choicesOfALoad(by: 2) == 1)
  }

  @Test mutating func theNextScheduleKnowsNothingOfIt() {
    store(1, by: 1)
    store(2, by: 1)
    memory.endJob(of: 1)
    begin()
    store(1, by: 1)
    memory.learnOfEndedJobs(2)
    #expect(choicesOfALoad(by: 2) == 2)
  }
}
