#if os(Linux)
  import Glibc

  /// The purpose of this process, judged by its arguments: `swift test` starts the test binary
  /// several times.
  struct ProcessKind {
    let isTestBinary: Bool
    /// It prints its tests and ends.
    let onlyLists: Bool
    /// It runs the tests of Swift Testing, and the process for XCTest has already printed the same.
    let leavesSpeakingToSibling: Bool

    static let current = ProcessKind(
      arguments: ProcessStart.list("cmdline"),
      parent: ProcessStart.list("cmdline", of: "\(getppid())"))

    /// - Parameter parent: the arguments of the process that started this one.
    init(arguments: [String], parent: [String]) {
      isTestBinary = arguments.first?.hasSuffix(".xctest") ?? false
      let listing = ["--dump-tests-json", "--list-tests", "-l"]
      onlyLists = isTestBinary && arguments.contains(where: listing.contains)
      let hasSibling =
        parent.first?.hasSuffix("swift-test") == true && !parent.contains("--disable-xctest")
      leavesSpeakingToSibling =
        isTestBinary && hasSibling
        && zip(arguments, arguments.dropFirst()).contains {
          $0 == ("--testing-library", "swift-testing")
        }
    }
  }
#endif
