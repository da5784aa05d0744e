import Dispatch
import Foundation
import Testing
import ThreadmillTesting

// Tests that run under many schedules; they run only where somebody asks for them: some are to
// fail.

private let isExploring = ProcessInfo.processInfo.environment["TOOL_SHED_EXPLORES"] != nil

/// The saws of a shed; who asks how many there are and then takes one may come too late.
private final class Saws: @unchecked Sendable {
  private let lock = NSLock()
  private var left: Int
  init(_ count: Int) { left = count }

  var count: Int { lock.withLock { left } }
  func take() { lock.withLock { left -= 1 } }
  /// In two steps.
  func takeIfAnyAreLeft() { if count > 0 { take() } }
  func takeIfThere() { lock.withLock { if left > 0 { left -= 1 } } }
}

private struct NoSaw: Error {}

@Suite(.enabled(if: isExploring), .explored(schedules: 200)) struct Explored {
  @Test func expectsASawForEach() async {
    let saws = Saws(1)
    await withTaskGroup { group in
      for _ in 0..<2 { group.addTask { saws.takeIfAnyAreLeft() } }
    }
    #expect(saws.count == 0)
  }

  /// The expectation is a block's, of which no task knows.
  @Test func expectsInABlock() {
    let (saws, group) = (Saws(1), DispatchGroup())
    for _ in 0..<2 {
      DispatchQueue.global().async(group: group) {
        if saws.count > 0 { saws.take() }
        #expect(saws.count >= 0)
      }
    }
    group.wait()
  }

  @Test(arguments: [1, 2]) func throwsWithTooFew(saws count: Int) throws {
    let saws = Saws(count)
    DispatchQueue.concurrentPerform(iterations: 2) { _ in saws.takeIfAnyAreLeft() }
    if saws.count < 0 { throw NoSaw() }
  }

  @Test func requiresASawForEach() async throws {
    let saws = Saws(1)
    await withTaskGroup { group in
      for _ in 0..<2 { group.addTask { saws.takeIfAnyAreLeft() } }
    }
    try #require(saws.count == 0)
  }

  @Test func locksInOppositeOrders() {
    withKnownIssue { Issue.record("the saw is dull") }
    let (saw, hammer) = (NSLock(), NSLock())
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      let (first, second) = index == 0 ? (saw, hammer) : (hammer, saw)
      first.withLock { second.withLock {} }
    }
  }

  @Test func waitsForNobody() { DispatchSemaphore(value: 0).wait() }

  @Test(.explored(schedules: 50, strategy: .randomWalk, seed: 7)) func staysSilent() async {
    let saws = Saws(1)
    await withTaskGroup { group in
      for _ in 0..<2 { group.addTask { saws.takeIfThere() } }
    }
    #expect(saws.count == 0)
  }

  @Test(.explored) func needsNoParentheses() {
    let saws = Saws(1)
    DispatchQueue.concurrentPerform(iterations: 2) { _ in saws.takeIfThere() }
    #expect(saws.count == 0)
  }
}

extension Saws {
  /// For claims, which must not lock.
  fileprivate var uncheckedCount: Int { left }
}

/// Tests that look at their schedules themselves.
@Suite(.enabled(if: isExploring)) struct SelfExploring {
  @Test func exploresByItself() throws {
    let result = try explore(schedules: 5) {
      let saws = Saws(1)
      DispatchQueue.concurrentPerform(iterations: 2) { _ in saws.takeIfThere() }
    }
    #expect(result.schedules == 5)
  }

  @Test func claims() {
    let saws = Saws(1)
    always("no saw too many") { saws.uncheckedCount >= 0 }
    DispatchQueue.concurrentPerform(iterations: 2) { _ in saws.takeIfThere() }
  }
}
