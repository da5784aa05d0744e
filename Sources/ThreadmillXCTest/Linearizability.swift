// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Assertions of XCTest begin like this.

#if canImport(XCTest)
  // Whoever imports this module has the words of a description, too.
  @_exported import Threadmill
  import XCTest

  /// Asserts that a type does the same for several threads as for one: see `linearizable`, which
  /// has the same parameters.
  ///
  /// ```swift
  /// func testStack() {
  ///   XCTAssertLinearizable({ Stack<Int>() }) {
  ///     Operation("push", 1...3) { stack, number in stack.push(number) }
  ///     Operation("pop") { stack in stack.pop() }
  ///   }
  /// }
  /// ```
  public func XCTAssertLinearizable<Object>(
    _ make: @escaping @Sendable () async throws -> Object,
    threads: Int = 3, calls: Int = 3, scenarios: Int = 100, schedules: Int = 300,
    consistency: Consistency = .linearizable, progress: ProgressGuarantee = .blocking,
    seed: UInt64 = 1,
    replaying replay: String? = nil, file: StaticString = #filePath, line: UInt = #line,
    @OperationsBuilder<Object, Never> _ operations: () -> [DescribedOperation<Object, Never>]
  ) {
    do {
      try linearizable(
        make, threads: threads, calls: calls, scenarios: scenarios, schedules: schedules,
        consistency: consistency, progress: progress, seed: seed, replaying: replay, operations)
    } catch {
      XCTFail("Threadmill: \(error)", file: file, line: line)
    }
  }
#endif
