import Foundation
import Testing
import ThreadmillTesting
import ToolShed

// Tests that say what they lead to; they run only where somebody asks for them: some are to fail.

private let isExpecting = ProcessInfo.processInfo.environment["TOOL_SHED_EXPECTS"] != nil

@Suite(.enabled(if: isExpecting)) struct ExpectedFindings {
  @Test(.expectedFinding(.lockOrderCycle)) func isFound() {
    let shed = ToolShed()
    oneAfterTheOther({ shed.frameWall() }, { shed.cutRafter() })
  }

  @Test(.expectedFinding(.lockOrderCycle), arguments: 1...3) func isFoundInACase(number: Int) {
    let shed = ToolShed()
    oneAfterTheOther({ shed.frameWall() }, { shed.cutRafter() })
  }

  @Test(.expectedFinding(.lockOrderCycle)) func isMissed() {
    ToolShed().frameWall()
  }

  @Test(.expectedFinding(.deadlock)) func isAnother() {
    let shed = ToolShed()
    oneAfterTheOther({ shed.frameWall() }, { shed.cutRafter() })
  }

  @Test(.expectedFinding(.dataRace)) func needsTheSanitizer() {
    ToolShed().frameWall()
  }
}
