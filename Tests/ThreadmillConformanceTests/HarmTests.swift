import CThreadmillConformance
import Foundation
import Testing

/// Do no harm: a correct program behaves as documented, with the gate linked and without it.
struct HarmTests {
  /// The pairs of programs, each with the least number of its cases: a lost table is noticed.
  enum Family: String, CaseIterable {
    case posix, dispatch, swift, async

    var atLeast: Int {
      switch self {
      case .posix: 250
      case .dispatch: 45
      case .swift: 60
      case .async: 30
      }
    }
  }

  @Test(arguments: Family.allCases)
  func bareAndObservedAgreeWithTheManual(family: Family) async throws {
    let bare = try await Child("conformance-\(family.rawValue)-bare")
    let observed = try await Child("conformance-\(family.rawValue)-observed")
    expectAllRight(bare, "bare")
    expectAllRight(observed, "observed")
    for (expected, got) in zip(bare.lines, observed.lines) { #expect(got == expected) }
    #expect(observed.lines.count == bare.lines.count)
    #expect(bare.lines.count >= family.atLeast)
  }

  /// With a watchdog, a report file and the signals that it asks for, nothing changes either.
  @Test(arguments: Family.allCases)
  func nothingIsWrongWithAWatchdogAndAReport(family: Family) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "harm-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let bare = try await Child("conformance-\(family.rawValue)-bare")
    let watched = try await Child(
      "conformance-\(family.rawValue)-observed", options: "hang=60 report=\(file.path)")
    expectAllRight(watched, "watched")
    for (expected, got) in zip(bare.lines, watched.lines) { #expect(got == expected) }
    #expect(watched.lines.count == bare.lines.count)
    #expect(watched.lines.count >= family.atLeast)
  }

  /// The same with all that jitter does: fork, exit, cancellation and signals among the cases.
  @Test(arguments: Family.allCases)
  func nothingIsWrongUnderJitter(family: Family) async throws {
    let shaken = try await Child(
      "conformance-\(family.rawValue)-observed", options: "jitter=heavy seed=20261122")
    expectAllRight(shaken, "jitter")
    #expect(shaken.lines.count >= family.atLeast)
  }

  /// Nor with a toolchain that lays its objects out in another way.
  @Test(arguments: [Family.swift, .async])
  func nothingIsWrongIfNoLayoutFits(family: Family) async throws {
    let bare = try await Child("conformance-\(family.rawValue)-bare")
    let observed = try await Child(
      "conformance-\(family.rawValue)-observed",
      movedLayouts: "job,task,status,actor,continuation,string,array,operation,keyPath,lockClasses")
    expectAllRight(observed, "observed")
    for (expected, got) in zip(bare.lines, observed.lines) { #expect(got == expected) }
    #expect(observed.lines.count == bare.lines.count)
  }

  /// Cases may be left out under Thread Sanitizer, for a reason that stands in their table, and
  /// nowhere else.
  private func expectAllRight(_ child: Child, _ name: String) {
    for line in child.lines {
      let verdict = line.split(separator: " ").dropFirst().first
      let isRight = verdict == "ok" || (verdict == "skipped:" && conformance_built_with_tsan())
      #expect(isRight, "\(name): \(line)\n\(child.errors.suffix(2_000))")
    }
    #expect(child.status == 0, "\(name)")
  }

  @Test func wrongFactsAreSeen() async throws {
    let liar = try await Child("conformance-liar")
    #expect(liar.status == 1)
    #expect(
      liar.lines == [
        "liar.number FAILED FAILED 1 + 1: expected 3, got 2; exit 1 instead of exit 0",
        "liar.code FAILED FAILED EBUSY: expected 0, got EBUSY; exit 1 instead of exit 0",
        "liar.errno FAILED FAILED close(-1): expected EINTR, got EBADF; exit 1 instead of exit 0",
        "liar.text FAILED FAILED text: expected wanted, got got; exit 1 instead of exit 0",
        "liar.touched-errno FAILED changes_errno()=0, FAILED errno after changes_errno(): "
          + "expected ENOTEMPTY, got EDOM; exit 1 instead of exit 0",
        "liar.child FAILED FAILED 1: expected 2, got 1, FAILED conformance_child(lie, NULL): "
          + "expected 0, got 1; exit 1 instead of exit 0",
        "liar.status FAILED ; exit 3 instead of exit 0",
        "liar.dies FAILED ; signal SIGABRT instead of exit 0",
        "liar.survives FAILED 1=1; exit 0 instead of signal SIGABRT",
        "honest ok 1=1; exit 0",
      ])
  }
}
