#if os(Linux)
  import Glibc

  /// The program of this process once more, in a session of its own, with neither input nor output.
  struct SteeredProcess {
    private let leader: pid_t

    /// `nil` if the system refuses.
    ///
    /// - Parameter environment: in the form `NAME=value`.
    init?(arguments: [String], environment: [String]) {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigmask(&attributes, &none)
      var all = sigset_t()
      sigfillset(&all)
      posix_spawnattr_setsigdefault(&attributes, &all)
      posix_spawnattr_setflags(
        &attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
      var process = pid_t()
      let status = Self.withCStrings(arguments) { argv in
        Self.withCStrings(environment) { envp in
          posix_spawn(&process, "/proc/self/exe", &actions, &attributes, argv, envp)
        }
      }
      guard status == 0 else { return nil }
      leader = process
    }

    /// `POSIX_SPAWN_SETSID` of glibc's `<spawn.h>`, a GNU extension that Swift does not import.
    private static let newSession: Int16 = 0x80

    /// Waits for its end up to that moment, then ends it with all of its group.
    func wait(until deadline: ContinuousClock.Instant) {
      while !hasEnded, .now < deadline { usleep(Self.interval) }
      kill(-leader, SIGKILL)
      var status: Int32 = 0
      while waitpid(leader, &status, 0) == -1 && errno == EINTR {}
    }

    /// Microseconds between two looks.
    private static let interval: UInt32 = 2_000

    /// It stays there as a corpse, so that its number cannot mean another group.
    private var hasEnded: Bool {
      var info = siginfo_t()
      let result = waitid(P_PID, id_t(leader), &info, WEXITED | WNOHANG | WNOWAIT)
      return result == -1 ? errno == ECHILD : info.si_signo == SIGCHLD
    }

    private static func withCStrings<R>(
      _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
      let copies = strings.map { strdup($0) }
      defer { for copy in copies { free(copy) } }
      return body(copies + [nil])
    }
  }
#endif
