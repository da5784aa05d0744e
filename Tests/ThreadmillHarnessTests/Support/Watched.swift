import Foundation
import Synchronization
import ThreadmillChildren
import ThreadmillTestSupport

/// A program of this package that Threadmill watches, in a process of its own.
struct Watched: Sendable {
  /// What a run did, and what Threadmill wrote about it.
  struct Run: Sendable {
    var child: ChildProcess.Result
    /// `nil` if no report was written.
    var report: ReportFile?
  }

  /// The name of an executable target.
  var program: String
  var arguments: [String]
  /// Threadmill's, without `report`.
  var options = ""
  /// Beside those that every program gets.
  var environment: [String: String] = [:]

  /// Runs it with a report file of its own.
  ///
  /// - Parameter stop: what ends the run early, given the report file.
  func run(stop: (URL) -> ChildProcess.Stop = { _ in .never }) async throws -> Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let result = try await run(report: file, stop: stop(file))
    return Run(child: result, report: try ReportFile(at: file))
  }

  /// Runs it until a line on standard error has these words in it, or to its end.
  func runUntilItSays(_ words: String) async throws -> Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let child = try child(options: "\(options) report=\(file.path)")
    let heard = Heard(words)
    let result = try await Slots.children.occupy {
      try await child.run(stop: .when { heard.isOver }, hearing: heard.listen)
    }
    return Run(child: result, report: try ReportFile(at: file))
  }

  private final class Heard: Sendable {
    private let words: String
    private let state = Mutex(false)

    init(_ words: String) { self.words = words }

    var isOver: Bool { state.withLock { $0 } }

    @Sendable func listen(_ text: String) {
      if text.contains(words) { state.withLock { $0 = true } }
    }
  }

  /// Runs it with this report file, which may belong to others as well.
  func run(report: URL, stop: ChildProcess.Stop = .never) async throws -> ChildProcess.Result {
    let child = try child(options: "\(options) report=\(report.path)")
    return try await Slots.children.occupy { try await child.run(stop: stop) }
  }

  /// The process, not yet started, with exactly these options; `nil` for no variable at all.
  func child(options: String?) throws -> ChildProcess {
    var given = Program.environment(options: options)
    given.merge(environment) { _, own in own }
    return ChildProcess(
      executable: try Program.named(program).path, arguments: arguments, environment: given,
      limit: Program.limit)
  }
}

extension Watched {
  /// One variant of a scenario of the corpus.
  static func scenario(_ id: String, _ variant: String, options: String = "") -> Watched {
    Watched(program: "scenario-host", arguments: ["run", id, variant], options: options)
  }
}
