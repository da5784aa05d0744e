import Foundation
import Synchronization
import ThreadmillReporting

/// The two streams that a command writes to.
package struct Console: Sendable {
  /// Whether standard output is coloured.
  package let isColoured: Bool
  /// Whether standard error is a terminal, on which a line can be replaced.
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
      say: { text in
        let error = UnsignalledWrite.write(text.utf8, to: STDOUT_FILENO, waits: true)
        if error != 0 { lose(error) }
      },
      complain: { _ = UnsignalledWrite.write($0.utf8, to: STDERR_FILENO, waits: true) })
  }

  /// Takes the numbers of standard streams that are closed: the next file that the tool opens would
  /// get them, and with them what the tool says. A program that the tool starts finds them closed.
  package static func reserveStreams() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
      _ = open(stream == STDOUT_FILENO ? "/dev/full" : "/dev/null", O_RDWR | O_CLOEXEC)
    }
  }

  /// Says once that standard output is lost; a reader that has read enough, such as `head`, is no
  /// loss. The command goes on: it may have a program to watch.
  private static func lose(_ error: Int32) {
    guard error != EPIPE, !isOutputLost.exchange(true, ordering: .relaxed) else { return }
    let reason = String(cString: strerror(error))
    _ = UnsignalledWrite.write(
      "threadmill: standard output cannot be written: \(reason)\n".utf8, to: STDERR_FILENO)
  }

  /// Whether some output of a command could not be written.
  package static var hasLostOutput: Bool { isOutputLost.load(ordering: .relaxed) }

  private static let isOutputLost = Atomic(false)

  /// Colours are for terminals that know them, and for people who have not said no: `NO_COLOR` with
  /// any value but an empty one does.
  package static func wantsColour(_ environment: [String: String], isTerminal: Bool) -> Bool {
    isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }
}
