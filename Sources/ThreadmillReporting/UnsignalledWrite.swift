#if canImport(Glibc)
  import Glibc

  /// Writes to files without the signals that `write` can cause.
  ///
  /// A pipe without a reader sends SIGPIPE, a file beyond the process's limit SIGXFSZ. Both end the
  /// process by default, and that would be the end of a program that is only watched.
  package enum UnsignalledWrite {
    /// Writes all bytes; returns 0, or the error of the call that failed.
    ///
    /// - Parameter waits: whether to wait for the reader of a full pipe that does not block.
    package static func write(
      _ bytes: some Collection<UInt8>, to file: Int32, waits: Bool = false
    ) -> Int32 {
      var rest = Array(bytes)[...]
      return withoutSignals {
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
          if count < 0 && errno == EINTR { continue }
          if count < 0 && errno == EAGAIN && waits && isReady(file) { continue }
          if count <= 0 { return count < 0 ? errno : ENOSPC }
          rest = rest.dropFirst(count)
        }
        return 0
      }
    }

    /// Waits until the file takes bytes again; false if it cannot be waited for.
    private static func isReady(_ file: Int32) -> Bool {
      var polled = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
      let count = poll(&polled, 1, -1)
      return count > 0 || (count < 0 && errno == EINTR)
    }

    /// Blocks both signals, and takes back those that the calls in `body` cause. A signal that was
    /// pending before stays pending.
    private static func withoutSignals(_ body: () -> Int32) -> Int32 {
      var both = sigset_t()
      var before = sigset_t()
      var pending = sigset_t()
      sigemptyset(&both)
      sigaddset(&both, SIGPIPE)
      sigaddset(&both, SIGXFSZ)
      sigpending(&pending)
      pthread_sigmask(SIG_BLOCK, &both, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      let error = body()
      let caused = error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0
      if caused != 0 && sigismember(&pending, caused) == 0 { takeBack(caused) }
      return error
    }

    private static func takeBack(_ number: Int32) {
      var set = sigset_t()
      var atOnce = timespec()
      sigemptyset(&set)
      sigaddset(&set, number)
      while sigtimedwait(&set, nil, &atOnce) == -1 && errno == EINTR {}
    }
  }
#endif
