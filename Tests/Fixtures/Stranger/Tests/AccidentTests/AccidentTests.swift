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

  @Test func deadlock() {
    if happens("deadlock") { fillAndWash() }
  }

  @Test func busy() {
    while happens("busy") { usleep(100) }
  }
}

/// Deadlocks with its own thread.
private func fillAndWash() {
  let (jar, sink) = (NSLock(), NSLock())
  let isWashing = DispatchSemaphore(value: 0)
  jar.lock()
  Thread.detachNewThread {
    sink.lock()
    isWashing.signal()
    jar.lock()
  }
  isWashing.wait()
  sink.lock()
}

/// Tests that start programs: `ACCIDENT=children`.
@Suite(.enabled(if: happens("children"))) struct ChildTests {
  /// Neither loads Threadmill nor hands it on.
  @Test func startsAnother() throws {
    let (child, output) = (Process(), Pipe())
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = ["-c", "cat /proc/self/maps /proc/self/environ | grep -c libThreadmill"]
    child.standardOutput = output
    try child.run()
    child.waitUntilExit()
    #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "0\n")
  }

  /// Is watched as well, and ends with a status that says so.
  @Test func startsItself() async {
    await #expect(processExitsWith: .exitCode(1)) { takeBothWays() }
  }
}

/// One thread after the other. Whatever waits for the end of a thread would order the two, and make
/// the orders harmless; only a look at a flag does not.
@Sendable private func takeBothWays() {
  let (jar, lid) = (NSLock(), NSLock())
  for (outer, inner) in [(jar, lid), (lid, jar)] {
    let thread = Thread { outer.withLock { inner.withLock {} } }
    thread.start()
    while !thread.isFinished { usleep(100) }
  }
}

final class OldAccidentTests: XCTestCase {
  func testTrap() { if happens("oldtrap") { fatalError("the old jar is broken") } }
  func testAfter() {}
}
