#if os(Linux) && canImport(Testing)
  import Synchronization
  import Testing
  import Threadmill

  /// Installs the bridge before the gate starts to watch: nothing to import, nothing to call.
  @_cdecl("threadmill_testing_boot")
  func installBridge() {
    TestBridge.follow(
      entered: {
        guard let test = Test.current, !test.isSuite else { return 0 }
        let running = RunningTest(test)
        let scope = TestBridge.begin(running.name)
        RunningTest.remember(running, as: scope)
        return scope
      },
      leaving: { scope in
        guard let running = RunningTest.inScope(scope) else { return }
        for charge in TestBridge.settle(running.name) { running.record(charge) }
        TestBridge.end(running.name)
      })
  }

  private struct RunningTest: Sendable {
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

    /// By scope, so that nobody has to ask Swift Testing for its copy of the test again.
    private static let running = Mutex<[UInt32: RunningTest]>([:])

    static func remember(_ test: RunningTest, as scope: UInt32) {
      running.withLock { if $0[scope] == nil { $0[scope] = test } }
    }

    static func inScope(_ scope: UInt32) -> RunningTest? { running.withLock { $0[scope] } }

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
