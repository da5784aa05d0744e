import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// Without symbols a finding names image and offset, which whoever has the symbols can look up.
@Suite(.enabled(if: Tool.strip.isThere && Tool.nm.isThere, "there are no binary utilities"))
struct StrippedTests {
  @Test func framesAreImageAndOffset() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = try Program.named("harness-endings")
    let (stripped, file) = (directory.file("stripped"), directory.file("report.json"))
    try await Tool.strip.run("-o", stripped.path, program.path)
    let child = ChildProcess(
      executable: stripped.path, arguments: ["guilty", "return-0"],
      environment: Program.environment(options: "report=\(file.path)"), limit: Program.limit)
    let result = try await child.run()
    #expect(result.outcome == .exited(1))
    let report = try #require(try ReportFile(at: file))
    try #require(report.accusations.count == 1)
    let frames = report.accusations[0].participants.compactMap(\.frames.firstUserFrame)
    #expect(frames.count == 2)
    for frame in frames { try check(frame, in: result.standardError) }
    let functions = try await functions(of: program)
    let named = frames.map { frame in
      functions.first { $0.range.contains(frame.offset ?? 0) }?.name
    }
    #expect(Set(named) == ["paint", "wash"])
  }

  private func check(_ frame: ReportFile.Frame, in text: String) throws {
    #expect(frame.image == "stripped")
    #expect(frame.file == nil)
    let name = "stripped+0x\(String(try #require(frame.offset), radix: 16))"
    #expect(frame.function == name)
    #expect(text.contains(name))
  }

  /// The functions of the executable before it was stripped.
  private func functions(of program: URL) async throws -> [(name: String, range: Range<UInt64>)] {
    try await Tool.nm.run("--print-size", program.path).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 4, let start = UInt64(words[0], radix: 16),
        let size = UInt64(words[1], radix: 16)
      else { return nil }
      return (name: String(words[3]), range: start..<(start + size))
    }
  }
}
