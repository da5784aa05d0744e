import Testing
import ThreadmillModel
import ThreadmillScenarios

@testable import ThreadmillCommand

/// Findings without a ring of objects: each kind of clause that a scenario may ask for, and what
/// must not pass for it.
@Suite struct AccusationTests {
  private func problem(_ finding: Finding, _ id: String) throws -> String? {
    Culprits.problem(with: finding, in: try #require(Scenario.named(id)))
  }

  private static func stack(_ function: String, in file: String) -> Backtrace {
    [Frame(address: 1, function: function, file: "/somewhere/\(file)")]
  }

  private static func participant(
    _ frames: Backtrace, submitted: Backtrace = [], wants: LockID? = nil
  ) -> Finding.Participant {
    Finding.Participant(
      thread: ThreadID(1), role: "", frames: frames, wants: wants, submitted: submitted)
  }

  /// What the scenario `shared-record` leads to.
  private static func race(_ functions: [String], allocated: String?) -> Finding {
    let file = "SharedRecord.swift"
    return Finding(
      kind: .dataRace, status: .observed, title: "",
      participants: functions.map { participant(stack($0, in: file)) },
      facts: allocated.map {
        [Finding.Fact("\(Finding.Fact.memory)70 is somewhere", frames: stack($0, in: file))]
      } ?? [])
  }

  private static let accesses = ["PhotoRecord.download()", "PhotoRecord.filter()"]
  private static let body =
    "closure #2 in variable initialization expression of static Scenario.sharedRecord"

  @Test func aRaceHasTwoFunctionsAndItsMemory() throws {
    #expect(try problem(Self.race(Self.accesses, allocated: Self.body), "shared-record") == nil)
  }

  @Test(arguments: [
    (["PhotoRecord.download()", "PhotoRecord.read()"], body), (accesses, "PhotoRecord.copy()"),
    (accesses, nil), (["PhotoRecord.download()"], body),
  ])
  func anotherRaceIsWrong(_ functions: [String], _ allocated: String?) throws {
    #expect(try problem(Self.race(functions, allocated: allocated), "shared-record") != nil)
  }

  /// Both accesses may be in one function, but there have to be two.
  @Test func aRaceIsBetweenTwo() throws {
    let scenario = "closure #1 in variable initialization expression of static Scenario.lazyInit"
    func race(_ count: Int) -> Finding {
      var race = Self.race(
        Array(repeating: "PhotoLibrary.index.getter", count: count), allocated: scenario)
      for index in race.participants.indices {
        race.participants[index].frames[0].file = "LazyInit.swift"
      }
      race.facts[0].frames[0].file = "LazyInit.swift"
      return race
    }
    #expect(try problem(race(2), "lazy-init") == nil)
    #expect(try problem(race(1), "lazy-init") == "dataRace must be between two accesses")
  }

  /// What the scenario `unbalanced-leave` leads to.
  @Test(arguments: [
    ("Downloads.init()", SharedObject.Kind.group, true), ("Uploads.init()", .group, false),
    ("Downloads.init()", .semaphore, false),
  ])
  func aMisuseIsOfOneObject(_ made: String, _ kind: SharedObject.Kind, isRight: Bool) throws {
    let file = "UnbalancedLeave.swift"
    let function =
      "closure #1 in closure #1 in variable initialization expression of "
      + "static Scenario.unbalancedLeave"
    let objects = [
      SharedObject(id: LockID(1), kind: kind, created: Self.stack(made, in: file)),
      SharedObject(id: LockID(2), kind: .serialQueue, label: "main"),
    ]
    let finding = Finding(
      kind: .unbalancedGroup, status: .observed, title: "",
      participants: [Self.participant(Self.stack(function, in: file))], objects: objects)
    #expect(try (problem(finding, "unbalanced-leave") == nil) == isRight)
  }

  /// What the scenario `lock-inversion` leads to: the holder is seen by where its work came from.
  @Test(arguments: [("inTheMiddleOfCleaning(_:onScreen:)", true), ("clean()", false)])
  func workIsKnownByItsSubmission(_ submitter: String, isRight: Bool) throws {
    let file = "LockInversion.swift"
    let lock = SharedObject(
      id: LockID(1), kind: .mutex, created: Self.stack("LockedCache.init()", in: file))
    let finding = Finding(
      kind: .priorityInversion, status: .observed, title: "",
      participants: [
        Self.participant(Self.stack("LockedCache.image(named:)", in: file), wants: lock.id),
        Self.participant([], submitted: Self.stack(submitter, in: file)),
      ], objects: [lock])
    #expect(try (problem(finding, "lock-inversion") == nil) == isRight)
  }

  /// What an exploration of the scenario `missing-leave` leads to.
  @Test(arguments: [
    ("Book.read(_:)", "group L7", true), ("Book.read(_:)", "mutex L7", false),
    ("Book.close()", "group L7", false),
  ])
  func aStandstillIsKnownByItsStory(_ function: String, _ object: String, isRight: Bool) throws {
    var finding = Finding(kind: .hang, status: .observed, title: "")
    let step = ScheduleStory.Step(
      number: 1, column: 0, .wait, object: object,
      places: Self.stack(function, in: "MissingLeave.swift"))
    finding.story = ScheduleStory(
      columns: ["body"], steps: [], total: 0, waits: [.init(step)], schedule: "")
    #expect(try (problem(finding, "missing-leave") == nil) == isRight)
  }

  @Test(arguments: [("threw -60 instead of 20", true), ("threw 20 instead of 0", false)])
  func aWrongResultIsKnownByTheRightOne(_ title: String, isRight: Bool) throws {
    let finding = Finding(kind: .assertionFailure, status: .observed, title: title)
    #expect(try (problem(finding, "actor-reentrancy") == nil) == isRight)
  }
}
