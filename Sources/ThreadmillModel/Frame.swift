/// One place in a stack: an address first, words once somebody has looked it up.
package struct Frame: Hashable, Codable, Sendable {
  /// A return address, or as if: the code that is meant lies right before it.
  package var address: UInt64
  /// Demangled; `nil` as long as nobody looked, or when there is no symbol.
  package var function: String?
  package var file: String?
  package var line: Int?
  package var column: Int?
  /// The file name of the executable or library, without its folder.
  package var image: String?
  /// What lies between the start of the function (or of the image) and the address; for frames
  /// without a line.
  package var offset: UInt64?
  /// Code of a system library or of Threadmill itself; folded in text.
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

  /// Whether nobody looked it up: an address and nothing else.
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
