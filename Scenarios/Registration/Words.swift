/// The identifiers of some code, without those of its comments.
struct Words {
  private var all: Set<Substring> = []
  /// Those that can mean a function: not what is a constant, a variable or a parameter there.
  private var functions: Set<Substring> = []

  init(in lines: [Substring]) {
    let code = lines.map { line in
      line.firstRange(of: "// ").map { line[..<$0.lowerBound] } ?? line
    }
    let values = Set(code.flatMap { $0.matches(of: #/\b(?:let|var|for) (\w+)/#).map(\.1) })
    let parameters = Set(code.flatMap(Self.parameters))
    for word in code.flatMap({ $0.matches(of: #/(\.?)(\w+)(\(| \x7B)?/#) }) {
      let (name, isMember, isCalled) = (word.2, !word.1.isEmpty, word.3 != nil)
      all.insert(name)
      // A constant may have the name of the function that made it; a parameter hides it.
      let isHidden = parameters.contains(name) || (values.contains(name) && !isCalled)
      if isMember || !isHidden { functions.insert(name) }
    }
  }

  private static func parameters(in line: Substring) -> [Substring] {
    let isDeclaration = line.contains(#/\b(?:func \w|init\()/#)
    return line.matches(of: isDeclaration ? #/(\w+):/# : #/_ (\w+):/#).map(\.1)
  }

  mutating func formUnion(_ other: Words) {
    all.formUnion(other.all)
    functions.formUnion(other.functions)
  }

  /// Whether one of them can mean this; what has no name needs none.
  func name(_ declaration: SourceOutline.Declaration) -> Bool {
    guard let name = declaration.name else { return true }
    return (declaration.isFunction ? functions : all).contains(name)
  }
}

extension SourceOutline.Declaration {
  fileprivate var isFunction: Bool { head.first?.contains(#/\bfunc \w/#) == true }
}
