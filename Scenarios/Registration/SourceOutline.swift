/// The declarations of a Swift source as `swift format` lays it out: what belongs to a line stands
/// deeper than it, or closes it.
///
/// Enough to take a scenario's file apart, whose layout is checked; no parser of Swift.
struct SourceOutline: Hashable {
  let declarations: [Declaration]

  init(_ lines: [Substring]) { declarations = Declaration.read(lines, depth: 0) }

  /// One declaration, with the comments in front of it.
  struct Declaration: Hashable {
    /// Whether an empty line stands before it.
    var isSetOff: Bool
    var comments: [Substring]
    /// All of its lines; for a type only those up to its members.
    var head: [Substring]
    var members: [Declaration] = []
    /// What closes a type.
    var foot: [Substring] = []

    var lines: [Substring] {
      (isSetOff ? [""] : []) + comments + head + members.flatMap(\.lines) + foot
    }

    /// The name by which others can use it; `nil` for what is called by the system or the language.
    var name: Substring? {
      guard let line = head.first, !line.contains("override ") else { return nil }
      let declared =
        #/\b(?:func|var|let|class|struct|enum|actor|extension|typealias)\s+`?(\w+)/#
      return line.firstMatch(of: declared)?.1
    }
  }
}

extension SourceOutline.Declaration {
  /// Reads the declarations that stand at `depth`.
  fileprivate static func read(_ lines: [Substring], depth: Int) -> [Self] {
    let indent = String(repeating: " ", count: depth)
    var found: [Self] = []
    var next = Self(isSetOff: false, comments: [], head: [])
    var blanks: [Substring] = []
    for line in lines {
      let text = line.dropFirst(depth)
      if text.allSatisfy(\.isWhitespace) {
        blanks.append("")
      } else if !line.hasPrefix(indent) || text.first == " " || text.first.map(closes) == true {
        // Belongs to the declaration above, and so do empty lines between.
        if found.isEmpty { found.append(next) }
        found[found.count - 1].head += blanks + [line]
        blanks = []
      } else {
        next.isSetOff = next.isSetOff || !blanks.isEmpty
        blanks = []
        let standsBefore = text.hasPrefix("//") || text.wholeMatch(of: #/@\w+(\(.*\))?/#) != nil
        if standsBefore {
          next.comments.append(line)
        } else {
          next.head = [line]
          found.append(next)
          next = Self(isSetOff: false, comments: [], head: [])
        }
      }
    }
    if !next.comments.isEmpty { found.append(next) }
    return found.map { $0.opened(depth: depth) }
  }

  private static func closes(_ character: Character) -> Bool { "})]".contains(character) }

  /// The same with the members of a type apart.
  private func opened(depth: Int) -> Self {
    let type = #/\s*([\w()]+ )*(class|struct|enum|actor|extension) \w.*/#
    guard let first = head.first, first.wholeMatch(of: type) != nil,
      let brace = head.firstIndex(where: { $0.hasSuffix("{") }), brace < head.count - 1,
      let last = head.last, last.dropFirst(depth) == "}"
    else { return self }
    var result = self
    result.head = Array(head[...brace])
    result.members = Self.read(Array(head[(brace + 1)..<(head.count - 1)]), depth: depth + 2)
    result.foot = [last]
    return result
  }
}
