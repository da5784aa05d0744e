import Foundation

/// A program to be run in a process and a session of its own, with an end that is certain.
///
/// Its output goes to files, not pipes, so that neither a full pipe nor a grandchild that keeps one
/// open can hold anybody up. Whatever the session still runs when the child has ended is killed.
package struct ChildProcess: Sendable {
  package enum Outcome: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// It was still running at the limit.
    case timedOut
    /// It was ended early because what was waited for had come.
    case stopped
  }

  /// What ends a run before its limit.
  package enum Stop: Sendable {
    case never
    case when(@Sendable () -> Bool)
    /// Killed so many seconds after it was started, wherever it is then.
    case after(TimeInterval)
    /// No thread of it has run for half a second: it waits for something that will not come.
    case whenQuiet
  }

  package struct Result: Sendable {
    package var outcome: Outcome
    package var standardOutput: String
    package var standardError: String
  }

  /// The system refused to start it.
  package struct NotStarted: Error, CustomStringConvertible {
    package var description: String
  }

  /// An absolute path.
  package var executable: String
  package var arguments: [String]
  /// The whole environment; nothing is inherited.
  package var environment: [String: String]
  /// Seconds until it is asked, and a little later forced, to end.
  package var limit: TimeInterval

  package init(
    executable: String, arguments: [String] = [], environment: [String: String] = [:],
    limit: TimeInterval
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.limit = limit
  }

  /// Runs it to its end and does not block the caller's thread meanwhile.
  package func run(stop: Stop = .never) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Swift.Result { try runBlocking(stop: stop) })
      }
    }
  }

  private func runBlocking(stop: Stop) throws -> Result {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (out, err) = (directory.file("out"), directory.file("err"))
    let session = Session(leader: try spawn(out: out.path, err: err.path))
    let ending = wait(for: session, stop: stop)
    let status = session.end()
    return Result(
      outcome: ending ?? Self.outcome(of: status),
      standardOutput: String(decoding: try Data(contentsOf: out), as: UTF8.self),
      standardError: String(decoding: try Data(contentsOf: err), as: UTF8.self))
  }

  /// Returns why it had to be ended, or `nil` if it has ended by itself.
  private func wait(for session: Session, stop: Stop) -> Outcome? {
    let deadline = Date(timeIntervalSinceNow: limit)
    if case .after(let seconds) = stop { return session.hasEnded(within: seconds) ? nil : .stopped }
    var watch = QuietWatch(process: session.leader)
    while !session.hasEnded(within: 0.02) {
      switch stop {
      case .never, .after: break
      case .when(let isEnough): if isEnough() { return .stopped }
      case .whenQuiet: if watch.isQuiet() { return .stopped }
      }
      if Date() >= deadline {
        session.terminate()
        _ = session.hasEnded(within: 3)
        return .timedOut
      }
    }
    return nil
  }

  private func spawn(out: String, err: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT | O_APPEND, 0o600)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK))

    var pid = pid_t()
    let status = withCStrings([executable] + arguments) { argv in
      withCStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
        posix_spawn(&pid, executable, &actions, &attributes, argv, envp)
      }
    }
    guard status == 0 else {
      throw NotStarted(
        description: "cannot start \(executable): \(String(cString: strerror(status)))")
    }
    return pid
  }

  /// `POSIX_SPAWN_SETSID` of glibc's `<spawn.h>`, a GNU extension that Swift does not import.
  private static let newSession: Int16 = 0x80

  private static func outcome(of status: Int32) -> Outcome {
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }
}

/// Calls `body` with the strings as a C array that ends with a null pointer.
private func withCStrings<R>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> R
) rethrows -> R {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return try body(copies + [nil])
}
