#if os(Linux)
  import Glibc

  /// The processor time that this process has used; other programs do not count.
  enum ProcessorTime {
    static var now: Duration {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
  }
#endif
