import Foundation
import ThreadmillChildren
import ThreadmillModel

/// The result of a run of this tool under watch, in which the gate compared each layout of the
/// Swift runtime and of Foundation that it reads with the real one.
package enum LayoutTrial: Hashable, Sendable {
  case skipped
  /// Nothing can be preloaded: the library is not beside the tool.
  case noLibrary
  /// The last thing that the run said.
  case failed(String)
  /// The layouts that differ from those of ``MeasuredFact/toolchain``, and those that the run did
  /// not compare.
  case compared(differing: [String], unknown: [String])

  /// What the tool is called with for the run.
  static let word = "--compare-layouts"

  static func run(_ programs: ProgramFinder) -> LayoutTrial {
    guard let library = try? ToolFile(.preload), let scratch = try? TemporaryDirectory() else {
      return .noLibrary
    }
    defer { scratch.remove() }
    let plain = programs.environment.filter { name, _ in
      !name.hasPrefix("THREADMILL_") || name == MovedLayouts.variable
    }
    guard let tool = try? ToolFile.toolFolder.appending(path: "threadmill"),
      let environment = try? library.preloaded(over: plain, scratch: scratch),
      let result = try? ChildProcess(
        executable: tool.path, arguments: [word], environment: environment, limit: 30
      ).runBlocking()
    else { return .failed("it cannot be started") }
    return judge(result)
  }

  private static func judge(_ result: ChildProcess.Result) -> LayoutTrial {
    let lines = result.standardOutput.split(separator: "\n").map { $0.split(separator: " ") }
    guard result.outcome == .exited(0), !lines.isEmpty, lines.allSatisfy({ $0.count == 2 }) else {
      let last = result.output.split(separator: "\n").last.map(String.init)
      return .failed(last ?? "it said nothing")
    }
    let names = { (fit: LayoutFit) in
      lines.filter { $0[1] == fit.word }.map { String($0[0]) }
    }
    return .compared(differing: names(.no), unknown: names(.unknown))
  }
}
