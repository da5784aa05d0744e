import Testing
import ThreadmillTestSupport

/// `profile=true` against programs that take their locks a known number of times.
@Suite struct ProfileTests {
  private func profile(
    of name: String, options: String = ""
  ) async throws -> (text: String, classes: [ReportFile.LockClass]) {
    let run = try await Watched(
      program: "harness-contention", arguments: [name], options: "profile=true " + options
    ).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.report?.accusations.map(\.title) == [])
    return (run.child.standardError, try #require(run.report?.profile).classes)
  }

  @Test func locksFromOnePlaceAreOneClass() async throws {
    let (text, classes) = try await profile(of: "class")
    let tills = try #require(classes.first { $0.kind == "mutex" })
    #expect(classes.count { $0.kind == "mutex" } == 1)
    #expect(tills.acquisitions == 202)
    #expect(tills.wait.count == 202)
    #expect(tills.hold.count == 202)
    #expect(tills.contended >= 1)
    #expect(tills.created?.firstUserFrame?.function == "Till.init()")
    #expect(tills.longestHolder.firstUserFrame?.function == "Till.dawdle(afterTaking:)")
    #expect(tills.hold.max >= 50_000_000)
    #expect(tills.hold.total >= tills.hold.max)
    let row = text.split(separator: "\n").first { $0.contains("Till.dawdle(afterTaking:)") }
    #expect(try #require(row).hasPrefix("  202 "))
  }

  @Test func everyKindIsCounted() async throws {
    let (_, classes) = try await profile(of: "kinds")
    let counts = classes.map { "\($0.kind) \($0.mode) \($0.acquisitions) \($0.label ?? "-")" }
    #expect(
      Set(counts) == [
        "mutex exclusive 2 -", "recursiveMutex exclusive 3 -", "readWriteLock shared 4 -",
        "readWriteLock exclusive 5 -", "spinLock exclusive 6 -", "serialQueue exclusive 8 serial",
        "concurrentQueue shared 9 concurrent", "concurrentQueue exclusive 10 concurrent",
        "semaphore exclusive 11 -",
      ])
    #expect(classes.allSatisfy { $0.hold.count == $0.acquisitions })
    #expect(classes.allSatisfy { $0.longestHolder.firstUserFrame != nil })
    #expect(classes.allSatisfy { $0.created?.firstUserFrame?.function != nil })
  }

  /// A wait for the condition is no hold.
  @Test func aConditionDividesTheHold() async throws {
    let (_, classes) = try await profile(of: "condition")
    let lock = try #require(classes.first { $0.kind == "mutex" })
    #expect(lock.acquisitions == 2)
    #expect(lock.hold.count == 3)
  }

  @Test func aMutexOfSwiftsIsMeasuredLikeALock() async throws {
    let (_, classes) = try await profile(of: "swift-mutex")
    let mutex = try #require(classes.first { $0.kind == "synchronizationMutex" })
    #expect(mutex.acquisitions == 2)
    #expect(mutex.contended == 1)
    #expect(mutex.hold.count == 2)
    #expect(mutex.firstUsed?.firstUserFrame?.function == "contendSwiftMutex()")
  }

  /// Looking for findings and measuring are two things.
  @Test func detectorsNeedNotBeOn() async throws {
    let (_, classes) = try await profile(of: "class", options: "detect=false")
    #expect(classes.first { $0.kind == "mutex" }?.acquisitions == 202)
  }

  /// Taking stacks makes system calls at which a thread can be cancelled; locks are no such places.
  @Test func nobodyIsCancelledInALock() async throws {
    let run = try await Watched(
      program: "conformance-posix-observed", arguments: ["cancellation.locks-are-no-points"],
      options: "profile=true"
    ).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardOutput.contains("passed=1\n"))
    #expect(!run.child.standardOutput.contains("FAILED"))
  }

  @Test func offNothingIsSaid() async throws {
    let run = try await Watched(program: "harness-contention", arguments: ["class"]).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    #expect(try #require(run.report).profile == nil)
  }
}
