import CThreadmillGate
import Testing
import ThreadmillTestSupport

/// The word of a `Synchronization.Mutex`, in every order of steps of all kinds of code.
@Suite(
  .disabled(if: isThreadSanitized, "one thread alone computes for a minute: the plain run does it"))
struct MutexWordTests {
  private typealias Model = MutexWordModel

  /// Three actors with one round each, and two with more; one of them only tries.
  private static let casts: [[Model.Actor]] = pairs.flatMap { first, second in
    [false, true].flatMap { tries in
      [[actor(first, rounds: 3), actor(second, rounds: 3, tries: tries)]]
        + Model.Code.allCases.map { [actor(first), actor(second), actor($0, tries: tries)] }
    }
  }

  private static let pairs = Model.Code.allCases.flatMap { first in
    Model.Code.allCases.map { (first, $0) }
  }

  private static func actor(_ code: Model.Code, rounds: Int = 1, tries: Bool = false)
    -> Model.Actor
  {
    Model.Actor(code: code, tries: tries, rounds: rounds)
  }

  @Test func everyKindOfCodeLocksAndUnlocks() {
    var states = 0
    for cast in Self.casts {
      let model = Model(cast)
      #expect(model.violations.isEmpty, "\(cast.map(\.code)): \(model.violations)")
      states += model.states.count
    }
    #expect(states > 10_000)
  }

  /// A mutex that one thread uses, or for which one thread waits once, is known from its first lock
  /// on: a word that is 0 again would be taken for that of a new mutex. If more threads wait at the
  /// same time, the kernel may be the last to free the word.
  @Test func theGateLeavesNoZeroBehind() {
    for count in 1...2 {
      let model = Model((0..<count).map { _ in Self.actor(.caught, rounds: count == 1 ? 3 : 1) })
      let ends = model.states.filter { $0.actors.allSatisfy { $0.place == .gone } }
      #expect(!ends.isEmpty)
      #expect(ends.allSatisfy { $0.word == TM_WORD_MARKED }, "\(ends.map(\.word))")
    }
  }

  /// Each part of the protocol is needed: without it, something goes wrong.
  @Test(arguments: MutexWordModel.Flaw.allCases)
  func eachPartIsNeeded(flaw: MutexWordModel.Flaw) {
    let violations = Self.casts.reduce(into: Set<Model.Violation>()) {
      $0.formUnion(Model($1, flaw: flaw).violations)
    }
    #expect(!violations.isEmpty)
    let isAboutNewOnes = flaw == .leavesTheCount || flaw == .ignoresTheCount
    #expect((violations == [.takenForNew]) == isAboutNewOnes, "\(violations)")
  }
}
