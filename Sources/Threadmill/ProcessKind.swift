#if os(Linux)
  import Glibc

  /// What this process was started for, by its arguments: `swift test` starts the test binary
  /// several times.
  struct ProcessKind {
    let isTestBinary: Bool
    /// It prints its tests and ends.
    let onlyLists: Bool
    /// It is the Swift Testing half of a run whose XCTest half has said the same before.
    let leavesSpeakingToSibling: Bool

    static let current = ProcessKind(arguments: commandLine())

    init(arguments: [String]) {
      isTestBinary = arguments.first?.hasSuffix(".xctest") ?? false
      let listing = ["--dump-tests-json", "--list-tests", "-l"]
      onlyLists = isTestBinary && arguments.contains(where: listing.contains)
      leavesSpeakingToSibling =
        isTestBinary
        && zip(arguments, arguments.dropFirst()).contains {
          $0 == ("--testing-library", "swift-testing")
        }
    }

    /// The arguments as the kernel has them: `CommandLine` is not to be asked before `main`.
    private static func commandLine() -> [String] {
      let file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return [] }
      defer { close(file) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
      return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
  }
#endif
