/// Which variant of a scenario uses which of its helpers.
///
/// The file of a scenario holds the flawed functions beside the repaired ones. A declaration is
/// left out of a variant's program if another variant uses it and this one does not; what nobody
/// uses by name is called by the system, and stays. Names decide, so two functions of one name stay
/// together.
struct Usage {
  private typealias Declaration = SourceOutline.Declaration

  let programs: [Scenario.Variant: Story.Program]

  init(bodies: [Scenario.Variant: [Substring]], helpers: [SourceOutline.Declaration]) {
    let tree = Tree(helpers)
    let named = bodies.mapValues { tree.used(by: Words(in: $0), roots: []) }
    let anybody = named.values.reduce(into: Set()) { $0.formUnion($1) }
    let roots = Set(tree.nodes.indices).subtracting(anybody)
    programs = bodies.mapValues { body in
      let used = tree.used(by: Words(in: body), roots: roots)
      var lines = tree.lines(of: used).map(String.init)
      while lines.first?.isEmpty == true { lines.removeFirst() }
      return Story.Program(body: body.map(String.init), helpers: lines)
    }
  }
}

/// All declarations, each known by its place in the file.
private struct Tree {
  struct Node {
    let declaration: SourceOutline.Declaration
    let parent: Int?
    /// What its own lines name, members apart.
    let words: Words
  }

  private(set) var nodes: [Node] = []

  init(_ declarations: [SourceOutline.Declaration]) { add(declarations, parent: nil) }

  private mutating func add(_ declarations: [SourceOutline.Declaration], parent: Int?) {
    for declaration in declarations {
      nodes.append(
        Node(
          declaration: declaration, parent: parent, words: Words(in: declaration.head)))
      add(declaration.members, parent: nodes.count - 1)
    }
  }

  /// What these words lead to, directly or by way of what they lead to.
  ///
  /// - Parameter roots: what nobody needs to name.
  func used(by words: Words, roots: Set<Int>) -> Set<Int> {
    var words = words
    var used: Set<Int> = []
    var grows = true
    while grows {
      grows = false
      for (index, node) in nodes.enumerated() where !used.contains(index) {
        guard node.parent.map(used.contains) ?? true else { continue }
        guard roots.contains(index) || words.name(node.declaration) else { continue }
        used.insert(index)
        words.formUnion(node.words)
        grows = true
      }
    }
    return used
  }

  /// The text of these, in the order of the file.
  func lines(of used: Set<Int>) -> [Substring] {
    var index = 0
    return nodes.filter { $0.parent == nil }.flatMap { lines($0.declaration, used, &index) }
  }

  private func lines(
    _ declaration: SourceOutline.Declaration, _ used: Set<Int>, _ index: inout Int
  ) -> [Substring] {
    let isUsed = used.contains(index)
    index += 1
    let members = declaration.members.map { lines($0, used, &index) }.filter { !$0.isEmpty }
    guard isUsed else { return [] }
    var content = Array(members.joined())
    if content.first?.isEmpty == true { content.removeFirst() }
    let before: [Substring] = declaration.isSetOff ? [""] : []
    return before + declaration.comments + declaration.head + content + declaration.foot
  }
}
