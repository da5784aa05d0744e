import Foundation
import Testing
import ThreadmillReporting

@Suite struct RunIdentityTests {
  /// A line as the kernel writes it: 52 fields, the start time at 22.
  private static func line(_ process: Int32, _ name: String, parent: Int32, start: UInt64)
    -> [UInt8]
  {
    var fields = [String](repeating: "0", count: 52)
    fields[0] = "\(process)"
    fields[1] = "(\(name))"
    fields[2] = "S"
    fields[3] = "\(parent)"
    fields[21] = "\(start)"
    return Array((fields.joined(separator: " ") + "\n").utf8)
  }

  @Test(arguments: [
    "bash", "swift test", ") S 1 (", "((", "))", "a) R 7 8 9 (b", "", "two\nlines", "é🧵",
  ])
  func anyProgramNameIsRead(name: String) throws {
    let status = try #require(ProcessStatus(Self.line(42, name, parent: 7, start: 123_456_789_012)))
    #expect(status.process == 42)
    #expect(status.name == name)
    #expect(status.parent == 7)
    #expect(status.start == 123_456_789_012)
  }

  @Test(arguments: ["", "42", "42 (a", "42 a) S 1", ")(", "42 (a) S 1 2 3", "x (a) S 1"])
  func whatIsNoLineIsRejected(text: String) {
    #expect(ProcessStatus(Array(text.utf8)) == nil)
    let padded = text + String(repeating: " x", count: 60)
    #expect(ProcessStatus(Array(padded.utf8)) == nil)
  }

  private func identity(_ parent: Int32, _ lines: [Int32: [UInt8]]) -> String {
    RunIdentity.identity(parent: parent) { lines[$0] }
  }

  @Test func theNearestSwiftTestIsTheRun() {
    let lines: [Int32: [UInt8]] = [
      1: Self.line(1, "init", parent: 0, start: 1),
      10: Self.line(10, "swift-test", parent: 1, start: 100),
      20: Self.line(20, "swift-test", parent: 10, start: 200),
      30: Self.line(30, "PackageTests", parent: 20, start: 300),
      40: Self.line(40, "bash", parent: 1, start: 400),
    ]
    #expect(identity(30, lines) == "20-200")
    #expect(identity(20, lines) == "20-200")
    #expect(identity(40, lines) == "40-400")
    #expect(identity(50, lines) == "50")
  }

  @Test func aCircleOfParentsEnds() {
    let lines: [Int32: [UInt8]] = [
      2: Self.line(2, "a", parent: 3, start: 5), 3: Self.line(3, "b", parent: 2, start: 6),
    ]
    #expect(identity(2, lines) == "2-5")
  }

  /// The kernel's own line for this process, and the answer for it, against another reader of the
  /// same facts.
  @Test func thisProcessHasAnIdentity() throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: "/proc/self/stat")))
    let status = try #require(ProcessStatus(bytes))
    #expect(status.process == ProcessInfo.processInfo.processIdentifier)
    let comm = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
    #expect(status.name + "\n" == comm)
    let identity = RunIdentity.current
    #expect(identity == RunIdentity.current)
    let parts = identity.split(separator: "-").compactMap { UInt64($0) }
    #expect(parts.count == 2, "\(identity)")
    let parent = try String(contentsOfFile: "/proc/\(parts[0])/comm", encoding: .utf8)
    #expect(!parent.isEmpty)
  }
}
