#if os(Linux) && canImport(XCTest)
  import Threadmill
  import XCTest

  /// Has an exploration know of the assertions that fail in its body.
  ///
  /// An assertion tells the run of the test that is going on, an object that XCTest makes and gives
  /// nobody a chance to replace: it becomes one of a subclass for as long as somebody explores.
  enum AssertionWatch {
    static let watch = ExpectationWatch(
      begin: { begin($0) }, end: { end() }, perform: { body, _, _ in try await body() })

    /// The test that runs; set by the observer, on the thread that runs tests.
    nonisolated(unsafe) static weak var current: XCTestCase?

    /// Used by whoever explores; explorations take turns.
    nonisolated(unsafe) private static var taken: (run: XCTestRun, type: UnsafeRawPointer)?
    nonisolated(unsafe) private static var failing: ExpectationWatch.Failing?

    /// An error that a test throws has no place; XCTest then writes `<EXPR>`.
    fileprivate static func fail(_ description: String, _ file: String?, _ line: Int) {
      let file = file.flatMap { $0.hasPrefix("<") ? nil : $0 }
      TestBridge.unseen {
        let text = AssertionText.withoutEmptyMessage(description)
        failing?(FailedExpectation(text, file: file, line: line))
      }
    }

    private static func begin(_ failing: @escaping ExpectationWatch.Failing) {
      guard fits, let run = current?.testRun, Swift.type(of: run) == XCTestCaseRun.self else {
        return
      }
      taken = (run, type(run))
      self.failing = failing
      setType(run, unsafeBitCast(WatchedRun.self as AnyClass, to: UnsafeRawPointer.self))
    }

    private static func end() {
      guard let taken else { return }
      setType(taken.run, taken.type)
      (self.taken, failing) = (nil, nil)
    }

    /// Whether an object of XCTest's class is as large as one of the subclass. If the process has
    /// another XCTest than the one that this module was built with, it need not be.
    private static let fits = size(of: WatchedRun.self) == size(of: XCTestCaseRun.self)

    /// The size of a class's objects, as its metadata has it behind two words and two numbers.
    private static func size(of type: AnyClass) -> UInt32 {
      unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: 24, as: UInt32.self)
    }

    /// The first word of an object is its class.
    private static func type(_ run: XCTestRun) -> UnsafeRawPointer {
      word(of: run).pointee
    }

    private static func setType(_ run: XCTestRun, _ type: UnsafeRawPointer) {
      word(of: run).pointee = type
    }

    private static func word(of run: XCTestRun) -> UnsafeMutablePointer<UnsafeRawPointer> {
      Unmanaged.passUnretained(run).toOpaque().assumingMemoryBound(to: UnsafeRawPointer.self)
    }
  }

  /// The run of a test that is explored. It has no fields of its own, so that an object of its
  /// superclass can become one.
  final class WatchedRun: XCTestCaseRun {
    override func recordFailure(
      withDescription description: String, inFile filePath: String?, atLine lineNumber: Int,
      expected: Bool
    ) {
      AssertionWatch.fail(description, filePath, lineNumber)
    }
  }
#endif
