#if os(Linux) && canImport(Testing)
  import Synchronization
  import Testing
  import Threadmill

  /// Installs the bridge before the gate starts to watch: nothing to import, nothing to call.
  @_cdecl("threadmill_testing_boot")
  func installBridge() {
    TestBridge.watchExpectations(ExploredTest.watch)
    TestBridge.follow(
      entered: {
        // What an exploration does over and over is no beginning of a test.
        if TestBridge.isExploring { return TestBridge.currentScope }
        guard let test = Test.current, !test.isSuite else { return 0 }
        let running = RunningTest.of(test)
        TestBridge.begin(running.name, running.scope, identifier: running.name)
        TestBridge.visibly { ExploredTest.exploreCurrent(test) }
        return running.scope
      },
      leaving: { scope in
        if TestBridge.isExploring { return }
        for charge in TestBridge.end(scope) { RunningTest.inScope(scope)?.record(charge) }
      })
  }

  struct RunningTest: Sendable {
    let name: String
    let scope: UInt32
    private let place: SourceLocation

    /// A scope is entered and left several times for each case of a test, and making a name takes
    /// longer than a short test.
    static func of(_ test: Test) -> RunningTest {
      let key = Key(test: test.name, place: test.sourceLocation)
      return known.withLock { known in
        if let running = known.byTest[key] { return running }
        let name = name(of: test)
        let running = RunningTest(
          name: name, scope: TestBridge.scope(of: name), place: test.sourceLocation)
        known.byTest[key] = running
        known.byScope[running.scope] = running
        return running
      }
    }

    static func inScope(_ scope: UInt32) -> RunningTest? { known.withLock { $0.byScope[scope] } }

    /// What tells tests apart at little cost.
    private struct Key: Hashable, Sendable {
      var test: String
      var place: SourceLocation
    }

    private struct Known: Sendable {
      var byTest: [Key: RunningTest] = [:]
      /// So that nobody has to ask Swift Testing for its copy of the test again.
      var byScope: [UInt32: RunningTest] = [:]
    }
    private static let known = Mutex(Known())

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
