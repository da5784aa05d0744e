/// The modules that functions of Swift belong to.
enum SwiftModule {
  /// Those whose functions may be compiled into the image of their caller.
  static let toolchain: Set<Substring> = [
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Dispatch", "Foundation",
    "FoundationEssentials", "Testing", "XCTest",
  ]

  /// Returns the module of a function; `nil` if the name does not tell.
  ///
  /// - Parameter name: demangled, with the names of modules: `closure #1 () -> () in Bank.open()`.
  static func owner(of name: String) -> Substring? {
    var rest = name[...]
    while let inner = withoutHead(rest) { rest = inner }
    let marker = "(extension in "
    if rest.hasPrefix(marker) {
      return rest.dropFirst(marker.count).prefix { $0 != ")" }
    }
    let module = rest.prefix { $0 != "." }
    let isName = module.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName && module.endIndex < rest.endIndex ? module : nil
  }

  /// Returns what a name says of the function that another one is a part of; `nil` if there is
  /// none.
  private static func withoutHead(_ name: Substring) -> Substring? {
    let heads = [
      ("static ", " "), ("$defer #", " in "), ("closure #", " in "), ("implicit closure #", " in "),
      ("(", " partial function for "), ("generic specialization <", "> of "),
      ("generic not re-abstracted specialization <", "> of "),
      ("function signature specialization <", "> of "), ("merged ", " "),
    ]
    for (head, end) in heads where name.hasPrefix(head) && !name.hasPrefix("(extension in ") {
      guard let range = name.firstRange(of: end) else { continue }
      return name[range.upperBound...]
    }
    return nil
  }
}
