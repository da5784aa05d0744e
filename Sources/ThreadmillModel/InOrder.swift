extension Sequence {
  /// The elements in order, as `sorted(by:)` gives them, by code that is there once for all types.
  ///
  /// An optimised module compiles the library's sort anew for each type of element: a first build
  /// pays for each of them as much as for a hundred lines. This function is for what is seldom
  /// sorted, or is short.
  package func inOrder(by comesBefore: (Element, Element) -> Bool) -> [Element] {
    sorted(by: comesBefore)
  }
}

extension Sequence where Element: Comparable {
  /// The elements in order, by code that is there once for all types: see ``inOrder(by:)``.
  package func inOrder() -> [Element] { sorted() }
}
