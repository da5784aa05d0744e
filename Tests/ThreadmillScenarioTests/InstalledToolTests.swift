import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// The tool finds the libraries that it loads where `scripts/install` puts them, and says what to
/// type where they are not.
@Suite(.disabled(if: isThreadSanitized, "nothing can be loaded in front of Thread Sanitizer"))
struct InstalledToolTests {
  private static let library = "libThreadmillPreload.so"

  private static func run(_ tool: URL) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: tool.path,
      arguments: ["run", "--", "/bin/true"],
      environment: Program.environment(options: nil), limit: Program.limit)
    return try await Slots.children.occupy { try await child.run() }
  }

  /// Another program copies it. A process that another test starts meanwhile would have the file
  /// open for writing if this process copied it, and such a file cannot be run.
  private static func put(_ name: String, into folder: URL) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await Tool("cp").run(Program.folder.appending(path: name).path, folder.path)
  }

  @Test func itsLibrariesAreBesideItsFolder() async throws {
    let prefix = try TemporaryDirectory()
    defer { prefix.remove() }
    try await Self.put("threadmill", into: prefix.file("bin"))
    try await Self.put(Self.library, into: prefix.file("lib/threadmill"))
    let result = try await Self.run(prefix.file("bin/threadmill"))
    #expect(result.outcome == .exited(0))
    #expect(result.standardError.hasSuffix("Threadmill: no findings\n"))
  }

  @Test func withoutThemItSaysWhatToType() async throws {
    let prefix = try TemporaryDirectory()
    defer { prefix.remove() }
    try await Self.put("threadmill", into: prefix.file("bin"))
    let result = try await Self.run(prefix.file("bin/threadmill"))
    #expect(result.outcome == .exited(3))
    #expect(result.standardError.contains("\(Self.library) is not beside the tool"))
    #expect(result.standardError.contains("scripts/install"))
  }
}
