#if os(Linux) && canImport(XCTest)
  /// The text of a failed assertion, as reports tell it.
  enum AssertionText {
    /// Leaves out the separator that XCTest writes before the message of an assertion, if the
    /// assertion has no message: `XCTAssertEqual failed: ("1") is not equal to ("2") - `.
    static func withoutEmptyMessage(_ description: String) -> String {
      let separator = " - "
      return description.hasSuffix(separator)
        ? String(description.dropLast(separator.count)) : description
    }
  }
#endif
