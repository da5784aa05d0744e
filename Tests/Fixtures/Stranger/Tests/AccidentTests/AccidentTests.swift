import Dispatch
import Foundation
import Testing
import XCTest

/// What happens only where somebody asks for it: `ACCIDENT=trap`.
private func happens(_ accident: String) -> Bool {
  ProcessInfo.processInfo.environment["ACCIDENT"] == accident
}

@Suite struct AccidentTests {
  @Test func trap() { if happens("trap") { fatalError("the jar is broken") } }
  @Test func leave() { if happens("leave") { exit(0) } }

  @Test func busy() {
    while happens("busy") { usleep(100) }
  }
}

final class OldAccidentTests: XCTestCase {
  func testTrap() { if happens("oldtrap") { fatalError("the old jar is broken") } }
  func testAfter() {}
}
