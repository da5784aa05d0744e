#if os(Linux)
  import Glibc

  /// What the process has used of its processors: other programs do not count.
  enum ProcessorTime {
    static var now: Duration {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
  }
#endif
