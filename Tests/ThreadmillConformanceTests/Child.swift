import Foundation
import ThreadmillChildren
import ThreadmillTestSupport

/// One run of a program that was built next to the tests.
struct Child {
  /// What the program wrote to standard output, by line.
  let lines: [String]
  /// Everything it wrote to standard error.
  let errors: String
  /// Its exit status, or the number of the signal that ended it.
  let status: Int32

  /// Seconds for all cases of a table, under Thread Sanitizer and beside another program.
  private static let limit: TimeInterval = 1_200

  /// It did not end.
  struct Endless: Error {
    let command: [String]
    let lines: [String]
    let errors: String
  }

  /// Runs the program to its end.
  ///
  /// Variables that steer Threadmill or Thread Sanitizer are not passed on; `tsanOptions` and
  /// `options` are.
  init(
    _ name: String, _ arguments: [String] = [], options: String? = nil, tsanOptions: String? = nil,
    movedLayouts: String? = nil
  ) async throws {
    var environment = Program.environment(options: options)
    environment["LD_PRELOAD"] = nil
    environment["TSAN_OPTIONS"] = tsanOptions
    environment["THREADMILL_MOVED_LAYOUTS"] = movedLayouts
    let process = ChildProcess(
      executable: try Program.named(name).path, arguments: arguments, environment: environment,
      limit: Self.limit)
    let result = try await Slots.children.occupy { try await process.run() }
    lines = result.standardOutput.split(separator: "\n").map(String.init)
    errors = result.standardError
    switch result.outcome {
    case .exited(let status), .signalled(let status): self.status = status
    case .stopped, .timedOut:
      throw Endless(command: [name] + arguments, lines: lines, errors: errors)
    }
  }
}
