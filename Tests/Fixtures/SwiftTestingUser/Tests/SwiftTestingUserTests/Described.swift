// swift-format-ignore-file: OnlyOneTrailingClosureArgument
// This is how descriptions are written.

import Dispatch
import Foundation
import Testing
import ThreadmillTesting
import ToolShed

// Tests that say what is right; they run only where somebody asks for them: some are to fail.

private let environment = ProcessInfo.processInfo.environment

@Suite(.enabled(if: environment["TOOL_SHED_EXPLORES"] != nil)) struct Described {
  @Test(
    .linearizable({ NailBox() }, replaying: environment["TOOL_SHED_REPLAY"]) {
      Operation("add", 1...2) { nails, nail in nails.add(nail) }
      Operation("take") { nails in nails.takeInSteps() }
    })
  func takesInSteps() {}

  @Test(
    .linearizable({ NailBox() }, scenarios: 20) {
      Operation("add", 1...2) { nails, nail in nails.add(nail) }
      Operation("take") { nails in nails.take() }
    })
  func takesAtOnce() {}

  @Test func hasOutcomes() async throws {
    let found = try outcomes {
      let nails = NailBox()
      nails.add(1)
      async let one = nails.takeInSteps()
      async let other = nails.takeInSteps()
      return await [one, other].count { $0 != nil }
    }
    #expect(found.values == [1, 2])
    try found.allowing([1])
  }
}
