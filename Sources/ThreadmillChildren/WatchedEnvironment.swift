extension ChildProcess {
  /// An environment for a program that Threadmill watches: the given one, without what steers
  /// Threadmill and Thread Sanitizer in it, and without crash reports, which take seconds.
  ///
  /// - Parameter options: Threadmill's; `nil` for none.
  /// - Parameter reportsRaces: whether a build with Thread Sanitizer does; it never waits for more
  ///   at its end.
  package static func environment(
    options: String?, reportsRaces: Bool, from inherited: [String: String]
  ) -> [String: String] {
    var environment = inherited.filter { !$0.key.hasPrefix("THREADMILL_") }
    environment["THREADMILL_OPTIONS"] = options
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["TSAN_OPTIONS"] = "report_bugs=\(reportsRaces ? 1 : 0) atexit_sleep_ms=0"
    return environment
  }
}
