/// One frame of a stack: first only an address, with names after it was looked up.
package struct Frame: Hashable, Sendable {
  /// A return address, or an address of that form: the code that is meant lies right before it.
  package var address: UInt64
  /// The demangled name; `nil` before the look-up, or if there is no symbol.
  package var function: String?
  package var file: String?
  package var line: Int?
  package var column: Int?
  /// The file name of the executable or library, without its folder.
  package var image: String?
  /// The distance from the start of the function (or of the image) to the address; for frames
  /// without a line.
  package var offset: UInt64?
  /// Whether the code is of a system library or of Threadmill itself. Text reports fold it.
  package var isSystem: Bool

  package init(
    address: UInt64, function: String? = nil, file: String? = nil, line: Int? = nil,
    column: Int? = nil, image: String? = nil, offset: UInt64? = nil, isSystem: Bool = false
  ) {
    self.address = address
    self.function = function
    self.file = file
    self.line = line
    self.column = column
    self.image = image
    self.offset = offset
    self.isSystem = isSystem
  }

  /// Whether the frame has only an address, because it was not looked up.
  package var isBare: Bool {
    function == nil && file == nil && line == nil && column == nil && image == nil && offset == nil
      && !isSystem
  }
}

/// A stack, innermost frame first.
package typealias Backtrace = [Frame]

extension Backtrace {
  /// The innermost frame of the user's own code, the one that a reader wants to see first.
  package var firstUserFrame: Frame? { first { !$0.isSystem } }
}
