#if os(Linux)
  import ThreadmillRuntime

  /// What a test framework's bridge tells Threadmill, and gets back.
  ///
  /// The bridges are modules of their own, so that a program without tests links no test library.
  /// They install themselves before the gate starts to watch.
  package enum TestBridge {
    /// How Swift Testing's scopes are followed; set by its bridge while the process has one thread.
    nonisolated(unsafe) static var scopes: ScopeHooks?

    /// Has `entered` and `leaving` called on the test's own task whenever Swift Testing changes
    /// what runs there.
    package static func follow(
      entered: @escaping @Sendable () -> UInt32, leaving: @escaping @Sendable (UInt32) -> Void
    ) {
      scopes = ScopeHooks(entered: entered, leaving: leaving)
    }

    /// Opens a test; what is found from now on is charged to it if it comes from there.
    package static func begin(_ test: String) -> UInt32 {
      Outlet.shared?.begin(test)
      return Session.scope(named: test)
    }

    /// What the test has to answer for so far; each finding is given out once.
    package static func settle(_ test: String) -> [Charge] { Outlet.shared?.settle(test) ?? [] }

    /// Makes all code without a test of its own work for this one; 0 ends that.
    package static func setProcessScope(_ scope: UInt32) { Gate.setProcessScope(scope) }

    package static func end(_ test: String) { Outlet.shared?.end(test) }
  }
#endif
