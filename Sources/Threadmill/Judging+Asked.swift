#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillReporting

  extension Judging {
    /// The baseline and suppressions that the options name, read while the process has one thread;
    /// `nil` if they name none. A file that cannot be read is reported and ignored, so that its
    /// findings are told.
    static func asked(for options: Options, in folder: (String) -> String) -> Judging? {
      guard options.baseline != nil || options.suppressions != nil else { return nil }
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      var judging = Judging(today: Day(secondsSince1970: now.tv_sec))
      do {
        if let path = options.baseline.map(folder), let bytes = try ReportFile.bytes(of: path) {
          judging.baseline = try Baseline(parsing: bytes)
        }
        if let path = options.suppressions, let bytes = try ReportFile.bytes(of: folder(path)) {
          judging.suppressions = try Suppressions(parsing: bytes, file: path)
        }
      } catch {
        Standard.error("threadmill: what is known or suppressed cannot be read: \(error)\n")
        return nil
      }
      return judging
    }
  }
#endif
