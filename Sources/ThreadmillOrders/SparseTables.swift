/// Below this many places a table is left as it is: what could be won is less than the work.
@usableFromInline package let smallestShrunkCapacity = 512

/// A table keeps its storage when its entries go; below one entry in this many places it is
/// rebuilt.
@usableFromInline package let sparseness = 8

extension Dictionary {
  /// Gives storage back after many removals. Amortised constant per removal.
  ///
  /// Inlined into other modules, too, because otherwise the compiler keeps one generic copy, ten
  /// times slower.
  @inlinable @inline(__always)
  package mutating func shrinkIfSparse() {
    guard capacity > smallestShrunkCapacity, count * sparseness < capacity else { return }
    var copy = Dictionary(minimumCapacity: count)
    for (key, value) in self { copy[key] = value }
    self = copy
  }
}

extension Set {
  /// Gives storage back after many removals. Amortised constant per removal.
  ///
  /// Inlined into other modules, too, because otherwise the compiler keeps one generic copy, ten
  /// times slower.
  @inlinable @inline(__always)
  package mutating func shrinkIfSparse() {
    guard capacity > smallestShrunkCapacity, count * sparseness < capacity else { return }
    var copy = Set(minimumCapacity: count)
    for element in self { copy.insert(element) }
    self = copy
  }
}
