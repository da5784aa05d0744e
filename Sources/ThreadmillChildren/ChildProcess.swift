import Foundation
import Synchronization

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
    /// Gets a signal as soon as that is so of it; killed if it does not end within ten seconds.
    case asked(by: Int32, when: @Sendable (pid_t) -> Bool)
    /// Apart from watchdogs no thread of it has run for so many seconds: it waits for something
    /// that will not come.
    case quiet(for: TimeInterval)

    package static let whenQuiet = Stop.quiet(for: 0.5)
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
  /// Where it starts; `nil` for the folder of this process.
  package var folder: String?
  /// Seconds until it is asked, and a little later forced, to end.
  package var limit: TimeInterval

  package init(
    executable: String, arguments: [String] = [], environment: [String: String] = [:],
    folder: String? = nil, limit: TimeInterval
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
    self.limit = limit
  }

  /// Gets what a child says on standard error soon after it has said it.
  package typealias Listener = @Sendable (String) -> Void

  /// Runs it to its end and does not block the caller's thread meanwhile.
  ///
  /// If the task is cancelled, the child is asked to end, and is killed if it has not ended half a
  /// second later. Its outcome is `stopped`.
  package func run(stop: Stop = .never, hearing listener: Listener? = nil) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await runApart(stop: stop, hearing: listener, cancellation: cancellation)
    } onCancel: {
      cancellation.cancel()
    }
  }

  private static let patience: TimeInterval = 0.5

  private func runApart(
    stop: Stop, hearing listener: Listener?, cancellation: Cancellation
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        Self.takeRankOfMainThread()
        continuation.resume(
          with: Swift.Result {
            try runBlocking(stop: stop, hearing: listener, cancellation: cancellation)
          })
      }
    }
  }

  /// A child has the priority of the thread that starts it. A worker of libdispatch has one of its
  /// own, and hands it to the threads that it starts.
  private static func takeRankOfMainThread() {
    #if os(Linux)
      let process = __priority_which_t(PRIO_PROCESS.rawValue)
      setpriority(process, 0, getpriority(process, id_t(getpid())))
    #endif
  }

  /// Runs it to its end on the caller's thread.
  package func runBlocking(stop: Stop = .never) throws -> Result {
    try runBlocking(stop: stop, hearing: nil, cancellation: Cancellation())
  }

  private func runBlocking(
    stop: Stop, hearing listener: Listener?, cancellation: Cancellation
  ) throws -> Result {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (out, err) = (directory.file("out"), directory.file("err"))
    let session = Session(leader: try spawn(out: out.path, err: err.path))
    var tail = FileTail(err)
    let ending = wait(for: session, stop: stop, cancellation: cancellation) {
      if let listener { tail.newLines().map(listener) }
    }
    let status = session.end()
    if let listener { tail.rest().map(listener) }
    return Result(
      outcome: ending ?? Self.outcome(of: status),
      standardOutput: String(decoding: try Data(contentsOf: out), as: UTF8.self),
      standardError: String(decoding: try Data(contentsOf: err), as: UTF8.self))
  }

  /// Returns why it had to be ended, or `nil` if it has ended by itself.
  private func wait(
    for session: Session, stop: Stop, cancellation: Cancellation, looking: () -> Void
  ) -> Outcome? {
    let start = Date()
    var deadline = start.addingTimeInterval(limit)
    var isAsked = false
    var watch = QuietWatch(process: session.leader)
    while !session.hasEnded(within: QuietWatch.interval) {
      looking()
      if cancellation.isCancelled {
        session.terminate()
        _ = session.hasEnded(within: Self.patience)
        return .stopped
      }
      switch stop {
      case .never: break
      case .after(let seconds): if Date().timeIntervalSince(start) >= seconds { return .stopped }
      case .when(let isEnough): if isEnough() { return .stopped }
      case .asked(let signal, let isTime):
        if !isAsked, isTime(session.leader) {
          isAsked = true
          deadline = min(deadline, Date().addingTimeInterval(10))
          kill(session.leader, signal)
        }
      case .quiet(let seconds): if watch.isQuiet(for: seconds) { return .stopped }
      }
      if Date() >= deadline {
        session.terminate()
        _ = session.hasEnded(within: 3)
        return .timedOut
      }
    }
    return nil
  }

  #if os(Linux)
    private func spawn(out: String, err: String) throws -> pid_t {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT | O_APPEND, 0o600)

      if let folder, !Self.addFolder(folder, to: &actions) {
        throw NotStarted(description: "cannot start \(executable) in \(folder)")
      }

      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigmask(&attributes, &none)
      // What this process ignores would stay ignored there, and then nobody could ask it to end.
      var all = sigset_t()
      sigfillset(&all)
      posix_spawnattr_setsigdefault(&attributes, &all)
      posix_spawnattr_setflags(
        &attributes,
        Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

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

    /// By a function of glibc's that Swift does not import.
    private static func addFolder(
      _ folder: String, to actions: inout posix_spawn_file_actions_t
    ) -> Bool {
      typealias Add =
        @convention(c) (
          UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
        ) -> Int32
      guard let function = dlsym(nil, "posix_spawn_file_actions_addchdir_np") else { return false }
      return unsafeBitCast(function, to: Add.self)(&actions, folder) == 0
    }

    /// `POSIX_SPAWN_SETSID` of glibc's `<spawn.h>`, a GNU extension that Swift does not import.
    private static let newSession: Int16 = 0x80
  #else
    private func spawn(out: String, err: String) throws -> pid_t {
      throw NotStarted(description: "cannot start \(executable): only on Linux")
    }
  #endif

  private static func outcome(of status: Int32) -> Outcome {
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }
}

/// Set once, by whoever does not want the child any more.
private final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() { flag.store(true, ordering: .relaxed) }
}

/// Calls `body` with the strings as a C array that ends with a null pointer.
func withCStrings<R>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> R
) rethrows -> R {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return try body(copies + [nil])
}
