/// How a test binary is started to run only some of the tests that it ran before.
package struct TestSelection: Sendable {
  /// What this process was started with, the program's name first.
  private let arguments: [String]
  private let isSwiftTesting: Bool

  /// `nil` for a program that is no test binary.
  package init?(arguments: [String]) {
    guard let program = arguments.first, program.hasSuffix(".xctest") else { return nil }
    self.arguments = arguments
    isSwiftTesting = zip(arguments, arguments.dropFirst())
      .contains { $0 == ("--testing-library", "swift-testing") }
  }

  /// - Parameters:
  ///   - tests: by the names under which findings are blamed on them; none for all that ran before.
  ///   - identifiers: what XCTest calls a test on its command line.
  package func arguments(only tests: [String], identifiers: [String: String]) -> [String] {
    guard isSwiftTesting else {
      let known = tests.compactMap { identifiers[$0] }
      let isComplete = !known.isEmpty && known.count == tests.count
      return isComplete ? [arguments[0], known.joined(separator: ",")] : arguments
    }
    let filters = tests.flatMap { ["--filter", "^\(Self.escaped($0))(/|$)"] }
    let dropped = filters.isEmpty ? Self.outputs : Self.outputs.union(["--filter"])
    return without(dropped) + filters
  }

  /// Switches of Swift Testing that name a file or folder to be written: those are taken.
  private static let outputs: Set<String> = [
    "--event-stream-output-path", "--experimental-event-stream-output", "--xunit-output",
    "--attachments-path", "--experimental-attachments-path",
  ]

  /// Without these switches and their values.
  private func without(_ switches: Set<String>) -> [String] {
    var left: [String] = []
    var isValue = false
    for argument in arguments {
      let name = String(argument.prefix { $0 != "=" })
      let isDropped = switches.contains(name)
      if !isDropped, !isValue { left.append(argument) }
      isValue = isDropped && name == argument
    }
    return left
  }

  /// The name as a regular expression for itself.
  private static func escaped(_ name: String) -> String {
    name.map { #"\^$.|?*+()[]{}"#.contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
