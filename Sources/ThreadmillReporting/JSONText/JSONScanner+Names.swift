/// A name twice in one object. Names are the same where their texts are equal as Swift sees it:
/// escapes are resolved, and a letter may be composed in more than one way.
extension JSONScanner {
  /// The names of one object so far.
  struct Names {
    let first: Int
    var count = 0
    /// Filled where there are many; a few are compared faster than kept in a set.
    var many: Set<String> = []

    static let few = 16

    init(first: Int) { self.first = first }
  }

  /// Takes in the name that was scanned last.
  func check(_ names: inout Names) throws(JSONSyntaxError) {
    let name = tokens[tokens.count - 1]
    let isRepeated =
      names.count < Names.few
      ? isAmong(names, name) : !names.many.insert(text(name)).inserted
    if isRepeated { throw JSONSyntaxError(problem: .repeatedName, offset: Int(name.start)) }
    names.count += 1
    if names.count == Names.few {
      forEach(names) { other in
        names.many.insert(text(other))
        return true
      }
    }
  }

  private func isAmong(_ names: Names, _ name: JSONToken) -> Bool {
    var isNew = true
    forEach(names) { other in
      isNew = !areEqual(other, name)
      return isNew
    }
    return !isNew
  }

  /// Until the body says `false`.
  private func forEach(_ names: Names, _ body: (JSONToken) -> Bool) {
    var place = names.first
    for _ in 0..<names.count {
      guard body(tokens[place]) else { return }
      place = place + 1 < tokens.count ? Int(tokens[place + 1].next) : place
    }
  }

  private func areEqual(_ a: JSONToken, _ b: JSONToken) -> Bool {
    guard a.sort == .plainString, b.sort == .plainString else { return text(a) == text(b) }
    let (x, y) = (a.inside, b.inside)
    guard x.count == y.count else { return false }
    for offset in 0..<x.count
    where bytes[x.lowerBound + offset] != bytes[y.lowerBound + offset] { return false }
    return true
  }

  private func text(_ name: JSONToken) -> String {
    tokens.withUnsafeBufferPointer { JSONTokens(bytes: bytes, tokens: $0).text(name) }
  }
}
