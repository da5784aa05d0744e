import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// A command that is asked to end ends at once, and takes its children along.
@Suite(.disabled(if: isThreadSanitized, "the package is built without the sanitizer either way"))
struct InterruptionTests {
  /// One after the other in one package, which is built once.
  @Test func testsEndWithTheirCommand() async throws {
    let package = try SleepingPackage()
    defer { package.remove() }
    for number in [SIGTERM, SIGINT, SIGHUP] {
      let result = try await package.test(endedBy: number)
      #expect(result.outcome == .signalled(number))
      #expect(
        result.standardError.contains(
          "threadmill test: interrupted; this is what was found so far\n"), "signal \(number)")
      #expect(
        result.standardOutput.contains("error: Lock order cycle: mutex "), "signal \(number)")
      #expect(
        result.standardOutput.contains("SleepTests.Nights/ordersBeforeSleep()"),
        "signal \(number)")
      // What is found before the end counts.
      #expect(
        result.standardOutput.contains("Threadmill: 1 run, 1 failed\nTo repeat: threadmill test "),
        "signal \(number)")
      #expect(!package.isAsleep, "the test goes on without its command: signal \(number)")
    }
  }

  /// A package with two tests: one leads to a finding; the next says that it has begun, and then
  /// sleeps for longer than any limit.
  private struct SleepingPackage {
    let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
      let tests = directory.url.appending(path: "Tests/SleepTests")
      try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
      try Self.manifest.write(
        to: directory.file("Package.swift"), atomically: true, encoding: .utf8)
      try Self.test(began: began.path).write(
        to: tests.appending(path: "SleepTests.swift"), atomically: true, encoding: .utf8)
    }

    func remove() { directory.remove() }

    private var began: URL { directory.file("began") }

    /// Runs `threadmill test` on it; the signal comes when the test has begun.
    func test(endedBy number: Int32) async throws -> ChildProcess.Result {
      try? FileManager.default.removeItem(at: began)
      let tool = ChildProcess(
        executable: try Program.named("threadmill").path,
        arguments: ["test", "--package-path", directory.url.path, "--repeat", "2"],
        environment: Program.environment(options: nil), limit: Program.limit)
      let began = began.path
      return try await Slots.children.occupy {
        try await tool.run(
          stop: .asked(by: number) { _ in FileManager.default.fileExists(atPath: began) })
      }
    }

    /// Whether the process of the test is still there.
    var isAsleep: Bool {
      guard let text = try? String(contentsOf: began, encoding: .utf8), let process = pid_t(text)
      else { return true }
      return kill(process, 0) == 0
    }

    private static let manifest = """
      // swift-tools-version:6.0
      import PackageDescription
      let package = Package(name: "Sleep", targets: [.testTarget(name: "SleepTests")])
      """

    private static func test(began: String) -> String {
      """
      import Foundation
      import Testing
      @Suite(.serialized) struct Nights {
        @Test func ordersBeforeSleep() {
          let (bed, lamp) = (NSLock(), NSLock())
          let threads = [
            Thread { bed.withLock { lamp.withLock {} } },
            Thread { lamp.withLock { bed.withLock {} } },
          ]
          for thread in threads {
            thread.start()
            while !thread.isFinished { usleep(1_000) }
          }
        }
        @Test func sleeps() async throws {
          try "\\(getpid())".write(toFile: "\(began)", atomically: true, encoding: .utf8)
          try await Task.sleep(for: .seconds(3600))
        }
      }
      """
    }
  }
}
