import Testing
import ThreadmillTestSupport

/// Where work was submitted, through a library that uses the frame pointer for something else: the
/// gate recognises a stack that the unwinder told it once, and has to say the same.
@Suite struct FrameTests {
  /// What came of one way to submit, from one place.
  private struct Line: Equatable {
    var shape: String
    var submissions: Int
    var asked: Int
    var wrong: Int

    init?(_ text: Substring) {
      let words = text.split(separator: " ").map(String.init)
      let numbers = words.dropFirst(2).compactMap(Int.init)
      guard words.count == 5, numbers.count == 3 else { return nil }
      (shape, submissions, asked, wrong) = (words[0], numbers[0], numbers[1], numbers[2])
    }
  }

  static let shapes: Set = [
    "async", "async-concurrent", "async-group", "async-barrier", "async-quality", "async-item",
    "after", "notify", "wide-frame", "leftovers", "generic", "deep",
  ]

  static let manyCallers = "many-callers"

  private static func lines() async throws -> [Line] {
    let run = try await Watched(program: "harness-frames", arguments: []).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    return run.child.standardOutput.split(separator: "\n").compactMap(Line.init)
  }

  @Test func theFramesAreTheUnwinders() async throws {
    let lines = try await Self.lines().filter { $0.shape != Self.manyCallers }
    #expect(Set(lines.map(\.shape)) == Self.shapes)
    for line in lines {
      #expect(line.submissions == 50)
      #expect(line.wrong == 0, "\(line.shape)")
      #expect(line.asked <= 1, "\(line.shape)")
    }
  }

  /// Frame pointers tell none of these stacks from another one.
  @Test func manyStacksOfOneNameAreRecognised() async throws {
    let lines = try await Self.lines().filter { $0.shape == Self.manyCallers }
    #expect(lines.map(\.submissions) == [256, 256])
    #expect(lines.map(\.wrong) == [0, 0])
    #expect(lines.map(\.asked) == [256, 0])
  }
}
