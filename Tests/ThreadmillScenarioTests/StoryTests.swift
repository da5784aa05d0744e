import Foundation
import Testing
import ThreadmillScenarios

/// What is read out of a scenario's file.
@Suite struct StoryTests {
  private static let source = """
    import Dispatch

    extension Scenario {
      /// A shop that
      /// never closes.
      ///
      /// **What people write.** One line,
      /// and another one.
      ///
      /// **Repair.** First.
      ///
      /// Second, with a **bold** word.
      static let shop = Scenario(
        id: "shop", fault: .deadlocks,
        summary: "A shop.",
        expectations: [
          .flawed: .init(.hangs, observe: .finds("hang"))
        ],
        flawed: { Shop().closeLate() },
        harmful: {
          let shop = Shop()
          shop.closeLate { tidy() }
        },
        repaired: {
          Shop().close()
        })

      private static func unused() {}
    }

    /// `lock` protects `isOpen`.
    private final class Shop: @unchecked Sendable {
      // Made once.
      private let lock = NSLock()
      private var isOpen = true

      func close() { lock.withLock { isOpen = false } }

      func closeLate(meanwhile: () -> Void = {}) {
        // Then close().
        wait()
        meanwhile()
      }

      private func wait() {
        let close = 1

        print(close)
      }
    }

    private final class Closing: Operation {
      override func main() { tidy() }
    }

    private func tidy() {}

    """

  private static func story() throws -> Story { try Story(source: source) }

  @Test func theDocCommentIsTitleAndParts() throws {
    let story = try Self.story()
    #expect(story.title == "A shop that never closes.")
    #expect(story.parts.map(\.heading) == ["What people write", "Repair"])
    #expect(
      story.parts.map(\.paragraphs) == [
        ["One line, and another one."], ["First.", "Second, with a **bold** word."],
      ])
  }

  @Test func eachVariantHasItsBody() throws {
    let programs = try Self.story().programs
    #expect(programs[.flawed]?.body == ["Shop().closeLate()"])
    #expect(programs[.harmful]?.body == ["let shop = Shop()", "shop.closeLate { tidy() }"])
    #expect(programs[.repaired]?.body == ["Shop().close()"])
  }

  /// What only another variant uses is left out; what nobody names is called by somebody else.
  @Test func aProgramHasWhatItUses() throws {
    let programs = try Self.story().programs
    let repaired = """
      private static func unused() {}

      /// `lock` protects `isOpen`.
      private final class Shop: @unchecked Sendable {
        // Made once.
        private let lock = NSLock()
        private var isOpen = true

        func close() { lock.withLock { isOpen = false } }
      }

      private final class Closing: Operation {
        override func main() { tidy() }
      }

      private func tidy() {}
      """
    #expect(programs[.repaired]?.helpers.joined(separator: "\n") == repaired)
    let flawed = try #require(programs[.flawed]?.helpers)
    #expect(!flawed.contains { $0.contains("func close()") || $0.contains("isOpen = true") })
    #expect(flawed.contains("    print(close)"))
    #expect(flawed.filter { $0.contains("private func wait") || $0.contains("Then") }.count == 2)
  }

  @Test func aCorrectProgramIsBothTwins() throws {
    let source = """
      extension Scenario {
        /// Calm.
        static let calm = Scenario(
          id: "calm",
          summary: "Calm.",
          correct: {
            rest()
          })
      }
      """
    let programs = try Story(source: source).programs
    #expect(programs[.flawed]?.lines == ["rest()"])
    #expect(programs[.flawed] == programs[.repaired])
    #expect(programs[.harmful] == nil)
  }

  @Test(
    arguments: [
      ("static let shop = Scenario(", "let other = 1", "`static let … = Scenario(…)`"),
      ("  /// ", "  // noted: ", nil),
      ("    repaired: {", "    mended: {", "`repaired:` at the begin of a line"),
      ("**What people write.** ", "", "bold heading before \"One line, and another one.\""),
    ] as [(String, String, String?)])
  func whatIsMissingIsNamed(_ what: String, _ instead: String, _ lacks: String?) {
    let source = Self.source.replacing(what, with: instead)
    if let lacks {
      #expect(throws: Story.Untold.lacks(lacks)) { try Story(source: source) }
    } else {
      #expect(throws: Story.Untold.self) { try Story(source: source) }
    }
  }

  @Test func aSourceThatIsNotThereIsNamed() {
    let error = Story.Untold.noFile(path: "/nowhere/Shop.swift")
    #expect(throws: error) { try Story(file: "/nowhere/Shop.swift") }
    #expect("\(error)".contains("/nowhere/Shop.swift is not there"))
  }
}
