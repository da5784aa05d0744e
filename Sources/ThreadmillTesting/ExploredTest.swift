#if os(Linux) && canImport(Testing)
  import Synchronization
  import Testing
  import Threadmill

  /// A test of Swift Testing's that is explored.
  struct ExploredTest {
    private let test: Test

    init(_ test: Test) { self.test = test }

    /// Explores a body that must not escape.
    func run(
      _ wish: ExplorationWish,
      lending function: @concurrent @Sendable () async throws -> Void
    ) {
      withoutActuallyEscaping(function) { function in
        let loan = Loan(function)
        let outcome = explore(wish) { try await function() }
        if let failure = outcome.failure { record(failure) }
        loan.takeBack()
      }
    }

    private func explore(
      _ wish: ExplorationWish, past: TestExploration.Past = .asks, isWhole: Bool = false,
      _ body: @escaping @Sendable () async throws -> Void
    ) -> TestExploration.Outcome {
      TestExploration.run(RunningTest.of(test).name, wish, past: past, isWhole: isWhole, body)
    }

    private func record(_ complaint: String) {
      Issue.record(Comment(rawValue: complaint), sourceLocation: test.sourceLocation)
    }

    // MARK: Every test of the process

    /// Cases that were explored, by test and arguments.
    private static let explored = Mutex<Set<String>>([])

    /// If every test is to be explored, explores the case that has just begun here, before it
    /// runs as usual. A case that stood still does not run any more: it could stand still again,
    /// and the test has failed already. Nor does one that passes only the first time. Swift Testing
    /// leaves out a case whose task is cancelled.
    static func exploreCurrent(_ test: Test) {
      guard TestBridge.exploresAll, let current = Test.Case.current else { return }
      let mirror = Mirror(reflecting: current)
      let key = "\(test.id) \(mirror.descendant("_kind") ?? "")"
      guard explored.withLock({ $0.insert(key).inserted }) else { return }
      let found = mirror.descendant("body") as? @Sendable () async throws -> Void
      guard let body = found else {
        leave(test, "this Swift Testing keeps a test's code elsewhere")
        return
      }
      let explored = ExploredTest(test)
      let wish = test.traits.lazy.compactMap { $0 as? ExplorationTrait }.last?.wish
      let outcome = explored.explore(
        wish ?? ExplorationWish(), past: wish == nil ? .none : .asks, isWhole: true, body)
      if let refusal = outcome.refusal {
        leave(test, refusal, needsIsolation: outcome.needsIsolation)
      }
      if let complaint = outcome.complaint { explored.record(complaint) }
      if outcome.isNotToRunAgain || TestBridge.isForIsolation {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }

    private static func leave(_ test: Test, _ reason: String, needsIsolation: Bool = false) {
      TestBridge.leaveUnexplored(
        RunningTest.of(test).name, reason, needsIsolation: needsIsolation)
    }

    // MARK: Expectations

    /// Has an exploration know of the expectations that fail in its body.
    static let watch = ExpectationWatch { body, isFirst, failed in
      guard Test.current != nil else { return try await body() }
      let scope = TestBridge.currentScope
      let trait = IssueHandlingTrait.compactMapIssues { issue in
        TestBridge.unseen {
          guard issue.isFailure else { return isFirst && Test.current != nil ? issue : nil }
          // Swift Testing hands an issue from a thread without a task to every test that runs.
          if Test.current != nil || TestBridge.currentScope == scope {
            failed(issue.asExpectation)
          }
          return nil
        }
      }
      guard let test = Test.current else { return try await body() }
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        do {
          try await body()
        } catch is ExpectationFailedError {
          // It was an issue before.
        }
      }
    }
  }

  /// A closure that is lent out. Threads that were given up still hold it, and a closure that must
  /// not escape has to have one holder at the end: the loan releases it for them.
  private struct Loan {
    private let context: AnyObject?
    private let count: UInt

    init(_ function: @escaping @concurrent @Sendable () async throws -> Void) {
      context = Self.context(of: function)
      count = context.map { _getRetainCount($0) } ?? 0
    }

    func takeBack() {
      guard let context else { return }
      let kept = _getRetainCount(context)
      guard kept > count else { return }
      for _ in 0...(kept - count) { _ = Unmanaged.passRetained(Leak(context)) }
      for _ in 0..<(kept - count) { Unmanaged.passUnretained(context).release() }
    }

    /// Keeps an object's memory for ever, although its last holder may have released it: a thread
    /// that was given up may finish the body late, and release the object once more.
    private final class Leak {
      private unowned let object: AnyObject

      init(_ object: AnyObject) { self.object = object }
    }

    /// The second word of a closure.
    private static func context(
      of function: @escaping @concurrent @Sendable () async throws -> Void
    ) -> AnyObject? {
      struct Held {
        var function: @concurrent @Sendable () async throws -> Void
      }
      let words = unsafeBitCast(Held(function: function), to: (UInt, UInt).self)
      guard let object = UnsafeRawPointer(bitPattern: words.1) else { return nil }
      return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    }
  }

  extension Issue {
    fileprivate var asExpectation: FailedExpectation {
      let title = "\(self)".split(separator: "\n").first.map(String.init) ?? "\(self)"
      let place = sourceLocation
      return FailedExpectation(
        title, file: place.map(\.filePath), line: place?.line, column: place?.column)
    }
  }
#endif
