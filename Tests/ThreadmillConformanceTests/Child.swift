import Foundation

/// One run of a program that was built next to the tests.
struct Child {
  /// What the program wrote to standard output, by line.
  let lines: [String]
  /// Everything it wrote to standard error.
  let errors: String
  /// Its exit status, or the number of the signal that ended it.
  let status: Int32

  /// Runs the program to its end. Throws if it cannot be started or leaves nothing to read.
  ///
  /// Variables that steer Threadmill or Thread Sanitizer are not passed on; `tsanOptions` and
  /// `options` are.
  init(
    _ name: String, _ arguments: [String] = [], options: String? = nil, tsanOptions: String? = nil,
    movedLayouts: String? = nil
  ) throws {
    let files = FileManager.default
    let errorFile = files.temporaryDirectory.appending(path: "conformance-\(UUID())")
    _ = files.createFile(atPath: errorFile.path, contents: nil)
    defer { try? files.removeItem(at: errorFile) }

    let output = Pipe()
    let process = Process()
    process.executableURL = Self.products.appending(path: name)
    process.arguments = arguments
    process.environment = Self.environment(tsanOptions: tsanOptions)
    process.environment?["THREADMILL_OPTIONS"] = options
    process.environment?["THREADMILL_MOVED_LAYOUTS"] = movedLayouts
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()

    lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    errors = String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
    status = process.terminationStatus
  }

  /// The folder of the running test binary, where SwiftPM also puts the executables of the package.
  private static let products: URL = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: own).deletingLastPathComponent()
  }()

  private static func environment(tsanOptions: String?) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("THREADMILL_") && $0.key != "TSAN_OPTIONS" && $0.key != "LD_PRELOAD"
    }
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["TSAN_OPTIONS"] = tsanOptions
    return environment
  }
}
