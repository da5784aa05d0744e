#if os(Linux)
  @preconcurrency import Glibc

  /// What the program printed and what still waits in its memory.
  enum PrintedOutput {
    /// Sends it on its way, but for a stream that a thread is using: that one may never let go of
    /// it, and `fflush` would wait.
    static func flush() {
      for stream in [stdout, stderr] {
        guard let stream, ftrylockfile(stream) == 0 else { continue }
        fflush_unlocked(stream)
        funlockfile(stream)
      }
    }
  }
#endif
