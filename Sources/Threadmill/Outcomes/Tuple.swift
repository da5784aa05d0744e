/// Several values as one: what `outcomes` collects of a body that returns a tuple, because Swift's
/// own tuples cannot be members of a set.
///
/// ```swift
/// let found = try outcomes { … return (a, b) }
/// #expect(found.values == [.init(1, 2), .init(2, 1)])
/// ```
public struct Tuple<each Element: Hashable & Sendable>: Hashable, Sendable {
  /// The values as a tuple of Swift's.
  public let elements: (repeat each Element)

  /// Makes one value of several.
  public init(_ elements: repeat each Element) { self.elements = (repeat each elements) }

  /// Compares element by element.
  public static func == (one: Self, other: Self) -> Bool {
    for (mine, others) in repeat (each one.elements, each other.elements) {
      if mine != others { return false }
    }
    return true
  }

  /// Hashes all elements.
  public func hash(into hasher: inout Hasher) {
    for element in repeat each elements { hasher.combine(element) }
  }
}

extension Tuple: CustomStringConvertible {
  /// Looks like a tuple of Swift's: `(1, true)`.
  public var description: String {
    var words: [String] = []
    for element in repeat each elements { words.append(String(reflecting: element)) }
    return "(" + words.joined(separator: ", ") + ")"
  }
}
