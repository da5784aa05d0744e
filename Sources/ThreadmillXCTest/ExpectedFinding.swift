#if canImport(XCTest)
  import Threadmill
  import XCTest

  extension XCTestCase {
    /// Findings of these kinds that come up while `body` runs do not fail the test, and it fails if
    /// one of the kinds is not found.
    ///
    /// A data race is expected only in a build with Thread Sanitizer.
    public func expectFinding<R>(
      _ kinds: FindingKind..., file: StaticString = #filePath, line: UInt = #line,
      in body: () throws -> R
    ) rethrows -> R {
      let expected = ExpectedFindings(kinds)
      defer { if let missing = expected.end() { XCTFail(missing, file: file, line: line) } }
      return try body()
    }

    /// The same for asynchronous code.
    public func expectFinding<R>(
      _ kinds: FindingKind..., file: StaticString = #filePath, line: UInt = #line,
      in body: () async throws -> R
    ) async rethrows -> R {
      let expected = ExpectedFindings(kinds)
      defer { if let missing = expected.end() { XCTFail(missing, file: file, line: line) } }
      return try await body()
    }
  }
#endif
