import ThreadmillModel

/// What a piece of code is to lead to, for as long as it runs.
///
/// Without the gate, or outside of a test, nothing is expected, as nothing could be found; without
/// Thread Sanitizer no data race is.
package struct ExpectedFindings: Sendable {
  private let kinds: Set<FindingKind>
  private let scope: UInt32

  /// From here on these are no failures of the test that runs here.
  package init(_ kinds: [FindingKind]) {
    #if os(Linux)
      scope = TestBridge.currentScope
      let foundHere = kinds.filter { $0 != .dataRace || TestBridge.hasThreadSanitizer }
      self.kinds = scope == 0 ? [] : Set(foundHere)
      TestBridge.expect(self.kinds, scope)
    #else
      (self.kinds, scope) = ([], 0)
    #endif
  }

  /// Ends it; returns what to fail the test with, `nil` if all of them were found.
  package func end() -> String? {
    #if os(Linux)
      let missing = TestBridge.endExpecting(kinds, scope).map(\.rawValue)
      return missing.isEmpty
        ? nil : "Expected a finding, and none was made: \(missing.joined(separator: ", "))"
    #else
      return nil
    #endif
  }
}
