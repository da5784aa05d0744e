import Foundation

/// Programs that the build puts beside the test binary.
package enum Program {
  /// Seconds within which every program ends that can, on a busy machine too.
  package static let limit: TimeInterval = 20

  /// The folder of everything that this build has made.
  package static var folder: URL {
    get throws {
      let binary = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(filePath: binary).deletingLastPathComponent()
    }
  }

  /// The executable of one target.
  package static func named(_ name: String) throws -> URL { try folder.appending(path: name) }

  /// Ours without what steers Threadmill here; no crash reports, which take seconds.
  ///
  /// Races are another mode's business: a build with Thread Sanitizer neither reports them nor
  /// waits at its end for more.
  package static func environment(options: String?) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("THREADMILL_") }
    environment["THREADMILL_OPTIONS"] = options
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["TSAN_OPTIONS"] = "report_bugs=0 atexit_sleep_ms=0"
    return environment
  }
}
