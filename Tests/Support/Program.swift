import Foundation
import ThreadmillChildren

/// Programs that the build puts beside the test binary.
package enum Program {
  /// Seconds within which every program ends that can, where twenty others run as well.
  package static let limit: TimeInterval = 120

  /// The folder of everything that this build has made.
  package static var folder: URL {
    get throws {
      let binary = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(filePath: binary).deletingLastPathComponent()
    }
  }

  /// The executable of one target.
  package static func named(_ name: String) throws -> URL { try folder.appending(path: name) }

  /// Ours without what steers Threadmill here.
  package static func environment(
    options: String?, reportsRaces: Bool = false
  ) -> [String: String] {
    ChildProcess.environment(
      options: options, reportsRaces: reportsRaces, from: ProcessInfo.processInfo.environment)
  }
}
