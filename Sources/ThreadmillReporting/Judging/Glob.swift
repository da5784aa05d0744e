/// A pattern in which `*` stands for any text, slashes included, and `?` for any one character;
/// everything else for itself.
package struct Glob: Hashable, Sendable {
  package let text: String
  private let pattern: [Unicode.Scalar]

  package init(_ text: String) {
    self.text = text
    pattern = Array(text.unicodeScalars)
  }

  /// Whether it stands for the whole text. Takes at most the product of both lengths.
  package func matches(_ text: String) -> Bool { matches(Array(text.unicodeScalars)[...]) }

  /// Whether it stands for the whole path or, unless it begins with a slash, for the end of the
  /// path behind some slash: `Bank.swift` and `Sources/*` mean the same wherever the package lies.
  package func matches(path: String) -> Bool {
    let path = Array(path.unicodeScalars)
    if matches(path[...]) { return true }
    if pattern.first == "/" { return false }
    return path.indices.contains { path[$0] == "/" && matches(path[($0 + 1)...]) }
  }

  /// Goes back to the last `*` alone: what an earlier one could take, it can take as well.
  private func matches(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    var (at, place) = (text.startIndex, 0)
    var star: (at: Int, place: Int)?
    while at < text.endIndex {
      if place < pattern.count, pattern[place] == "*" {
        star = (at, place)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[at] {
        at += 1
        place += 1
      } else if let last = star {
        star = (last.at + 1, last.place)
        (at, place) = (last.at + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
