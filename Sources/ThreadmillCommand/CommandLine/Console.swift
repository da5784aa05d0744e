import Foundation

/// Where a command's words go.
package struct Console: Sendable {
  /// Whether colours mean anything to who reads standard output.
  package let isColoured: Bool
  /// Whether who reads standard error sees one line change, as on a terminal.
  package let isLive: Bool
  /// Writes to standard output.
  package let say: @Sendable (String) -> Void
  /// Writes to standard error.
  package let complain: @Sendable (String) -> Void

  package init(
    isColoured: Bool, isLive: Bool = false, say: @escaping @Sendable (String) -> Void,
    complain: @escaping @Sendable (String) -> Void
  ) {
    self.isColoured = isColoured
    self.isLive = isLive
    self.say = say
    self.complain = complain
  }

  /// Standard output and standard error of this process.
  package static func standard(environment: [String: String]) -> Console {
    Console(
      isColoured: wantsColour(environment, isTerminal: isatty(STDOUT_FILENO) == 1),
      isLive: isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb",
      say: { FileHandle.standardOutput.write(Data($0.utf8)) },
      complain: { FileHandle.standardError.write(Data($0.utf8)) })
  }

  /// Colours are for terminals that know them, and for people who have not said no: `NO_COLOR` with
  /// any value but an empty one does.
  package static func wantsColour(_ environment: [String: String], isTerminal: Bool) -> Bool {
    isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }
}
