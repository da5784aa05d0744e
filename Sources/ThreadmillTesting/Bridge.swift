#if os(Linux) && canImport(Testing)
  import Synchronization
  import Testing
  import Threadmill

  /// Installs the bridge before the gate starts to watch: nothing to import, nothing to call.
  @_cdecl("threadmill_testing_boot")
  func installBridge() {
    TestBridge.follow(
      entered: { current.map { TestBridge.begin($0.name) } ?? 0 },
      leaving: { _ in
        guard let current else { return }
        for charge in TestBridge.settle(current.name) { current.record(charge) }
        TestBridge.end(current.name)
      })
  }

  /// The test whose scope is being entered or left; suites are none.
  private var current: RunningTest? { Test.current.flatMap { $0.isSuite ? nil : RunningTest($0) } }

  private struct RunningTest {
    let name: String
    private let place: SourceLocation

    init(_ test: Test) {
      place = test.sourceLocation
      let key = Key(test: test.name, place: place)
      name = RunningTest.names.withLock { names in
        if let known = names[key] { return known }
        let name = RunningTest.name(of: test)
        names[key] = name
        return name
      }
    }

    /// What tells tests apart at little cost.
    private struct Key: Hashable, Sendable {
      var test: String
      var place: SourceLocation
    }

    /// A scope is entered and left several times for each case of a test, and making a name takes
    /// longer than a short test.
    private static let names = Mutex<[Key: String]>([:])

    /// The identifier without the place that ends it: `Module.Suite/test()`.
    private static func name(of test: Test) -> String {
      let parts = "\(test.id)".split(separator: "/")
      return parts.last.map { $0.contains(".swift:") ? parts.dropLast() : parts[...] }?
        .joined(separator: "/") ?? test.name
    }

    /// Fails the test, at the user's line where one is known.
    func record(_ charge: Charge) {
      let severity: Issue.Severity = charge.isError ? .error : .warning
      Issue.record(
        Comment(rawValue: charge.message), severity: severity, sourceLocation: location(of: charge))
    }

    private func location(of charge: Charge) -> SourceLocation {
      guard let (file, line, column) = charge.line else { return place }
      let name = file.split(separator: "/").last.map(String.init) ?? file
      return SourceLocation(
        fileID: "\(place.moduleName)/\(name)", filePath: file, line: line, column: column)
    }
  }
#endif
