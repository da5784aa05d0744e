import Foundation

/// A program that takes the place of this process for whoever started it: the same streams, folder,
/// terminal and process group, and the signals that this process gets.
package struct ForegroundProcess {
  /// An absolute path.
  package var executable: String
  /// What the program sees as its arguments, its own name first.
  package var arguments: [String]
  /// The whole environment; nothing is inherited.
  package var environment: [String: String]

  package init(executable: String, arguments: [String], environment: [String: String]) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }

  #if os(Linux)
    /// What is passed on; the rest either cannot be caught or is nobody's message.
    private static let forwarded = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

    /// Runs it to its end; to be called while this process has one thread.
    ///
    /// Signals wait from before the start until after the end, so that none gets lost between the
    /// two processes.
    package func run() throws(ChildProcess.NotStarted) -> ChildProcess.Outcome {
      var awaited = sigset_t()
      var before = sigset_t()
      sigemptyset(&awaited)
      for number in Self.forwarded + [SIGCHLD] { sigaddset(&awaited, number) }
      sigprocmask(SIG_BLOCK, &awaited, &before)
      defer { sigprocmask(SIG_SETMASK, &before, nil) }
      let process = try spawn(mask: before)
      while true {
        if let outcome = Self.outcome(of: process) { return outcome }
        var info = siginfo_t()
        let number = sigwaitinfo(&awaited, &info)
        // A terminal tells every process of the group by itself.
        if Self.forwarded.contains(number), info.si_code != Self.byTheKernel {
          kill(process, number)
        }
      }
    }

    /// `SI_KERNEL` of `<signal.h>`.
    private static let byTheKernel: Int32 = 0x80

    private static func outcome(of process: pid_t) -> ChildProcess.Outcome? {
      var status: Int32 = 0
      guard waitpid(process, &status, WNOHANG) == process else { return nil }
      let signal = status & 0x7f
      return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }

    private func spawn(mask: sigset_t) throws(ChildProcess.NotStarted) -> pid_t {
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      var mask = mask
      posix_spawnattr_setsigmask(&attributes, &mask)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
      var process = pid_t()
      let status = withCStrings(arguments) { argv in
        withCStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
          posix_spawn(&process, executable, nil, &attributes, argv, envp)
        }
      }
      guard status == 0 else {
        throw ChildProcess.NotStarted(
          description: "cannot start \(executable): \(String(cString: strerror(status)))")
      }
      return process
    }
  #else
    package func run() throws(ChildProcess.NotStarted) -> ChildProcess.Outcome {
      throw ChildProcess.NotStarted(description: "cannot start \(executable): only on Linux")
    }
  #endif
}
