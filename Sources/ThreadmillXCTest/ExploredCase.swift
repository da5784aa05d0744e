#if os(Linux) && canImport(XCTest)
  import Threadmill
  import XCTest

  /// A test of XCTest's that is explored as a whole, after it has run once as usual: each schedule
  /// makes an instance of its class, and runs `setUp`, the method and `tearDown` of that as XCTest
  /// does. What is of the class (its `setUp`, its `tearDown`) runs once, outside of the schedules.
  ///
  /// Sendable since the thread that runs tests waits for the schedules, which alone use it then.
  struct ExploredCase: @unchecked Sendable {
    private let identifier: String
    private let name: String
    private let type: XCTestCase.Type
    private let body: XCTestCaseClosure

    /// The test that is to be explored when it has run. Used by the thread that runs tests.
    nonisolated(unsafe) private static var waiting: String?

    /// The tests that this process was asked to explore, by their identifiers.
    nonisolated(unsafe) private static var asked = Set<String>()

    /// If every test is to be explored, has this one explored after its method. A test that is
    /// twice in XCTest's list is explored once.
    static func prepare(_ test: XCTestCase, identifier: String) {
      guard TestBridge.exploresAll, asked.insert(identifier).inserted else { return }
      guard let fields = CaseFields(of: test) else {
        TestBridge.leaveUnexplored(identifier, "this XCTest keeps a test's code elsewhere")
        return
      }
      let body = fields.body
      let explored = ExploredCase(
        identifier: identifier, name: test.name, type: Swift.type(of: test), body: body)
      waiting = identifier
      fields.setBody { test in
        if !TestBridge.runsOneSchedule { try body(test) }
        waiting = nil
        explored.run(in: test)
      }
    }

    /// The test has ended: if it did not come to the end of its method, nothing of it is explored.
    static func finish(_ run: XCTestRun) {
      guard let identifier = waiting else { return }
      waiting = nil
      TestBridge.leaveUnexplored(
        identifier, run.hasBeenSkipped ? "it is skipped" : "it throws an error as it is")
    }

    private func run(in test: XCTestCase) {
      if CaseFields.hasMeasured(test) {
        return TestBridge.leaveUnexplored(identifier, "it measures its speed")
      }
      let outcome = TestExploration.run(name, ExplorationWish(), past: .passed, isWhole: true) {
        await MainActor.run { runOnce() }
      }
      if let refusal = outcome.refusal {
        TestBridge.leaveUnexplored(
          identifier, refusal, needsIsolation: outcome.needsIsolation)
      }
      if let complaint = outcome.complaint {
        test.recordFailure(
          withDescription: complaint, inFile: "<unknown>", atLine: 0, expected: true)
      }
    }

    /// Runs the test on a new instance. What fails in it is a failure of the schedule.
    private func runOnce() {
      let method = name.split(separator: ".").last.map(String.init) ?? name
      let fresh = type.init(name: method, testClosure: body)
      CaseFields.setRun(of: fresh, WatchedRun(test: fresh))
      fresh.invokeTest()
    }
  }

  /// The fields of a test that XCTest keeps to itself, at the places where this version has them.
  private struct CaseFields {
    private let test: XCTestCase

    /// Behind the two words of every object.
    private static let runOffset = 16
    private static let bodyOffset = runOffset + MemoryLayout<XCTestRun?>.size

    /// Behind a bare pointer to a function the compiler expects another calling convention than in
    /// a field.
    private struct Body {
      var run: XCTestCaseClosure
    }

    /// `nil` if XCTest has these fields in another order.
    init?(of test: XCTestCase) {
      guard Self.mirror(test, of: XCTest.self)?.children.first?.label == "testRun",
        Self.mirror(test, of: XCTestCase.self)?.children.first?.label == "testClosure",
        let run = test.testRun,
        Self.field(of: test, at: Self.runOffset, as: XCTestRun?.self).pointee === run
      else { return nil }
      self.test = test
    }

    var body: XCTestCaseClosure { place.pointee.run }

    /// From now on the test does this.
    func setBody(_ new: @escaping XCTestCaseClosure) { place.pointee.run = new }

    private var place: UnsafeMutablePointer<Body> {
      Self.field(of: test, at: Self.bodyOffset, as: Body.self)
    }

    /// Of an instance of a class whose fields are known.
    static func setRun(of test: XCTestCase, _ run: XCTestRun) {
      field(of: test, at: runOffset, as: XCTestRun?.self).pointee = run
    }

    /// Whether a test that has run has measured something.
    static func hasMeasured(_ test: XCTestCase) -> Bool {
      let meter = mirror(test, of: XCTestCase.self)?.descendant("_performanceMeter")
      return meter.map { Mirror(reflecting: $0).children.count == 1 } ?? false
    }

    private static func mirror(_ test: XCTestCase, of type: XCTest.Type) -> Mirror? {
      var mirror: Mirror? = Mirror(reflecting: test)
      while let one = mirror, one.subjectType != type { mirror = one.superclassMirror }
      return mirror
    }

    private static func field<Value>(
      of test: XCTestCase, at offset: Int, as type: Value.Type
    ) -> UnsafeMutablePointer<Value> {
      let start = Unmanaged.passUnretained(test).toOpaque()
      return (start + offset).assumingMemoryBound(to: type)
    }
  }
#endif
