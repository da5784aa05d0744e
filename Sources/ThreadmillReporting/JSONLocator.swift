extension JSON {
  /// The byte at which the value of a path such as `findings[2].kind` begins; where there is none,
  /// that of the innermost value on the way to it. `nil` for what is no JSON.
  ///
  /// A name may contain dots and brackets; the longest one that fits is taken.
  package static func offset(of path: String, in bytes: [UInt8]) -> Int? {
    var locator = JSONLocator(parser: JSONParser(bytes: bytes), path: Array(path.utf8)[...])
    do throws(JSONSyntaxError) { return try locator.locate() } catch { return nil }
  }
}

/// Walks along a path, and parses and throws away what lies beside it.
private struct JSONLocator {
  var parser: JSONParser
  /// What is still to be walked.
  var path: ArraySlice<UInt8>

  mutating func locate() throws(JSONSyntaxError) -> Int {
    while true {
      parser.skipSpace()
      let here = parser.position
      if path.isEmpty { return here }
      let hasFound =
        switch parser.peek {
        case UInt8(ascii: "{"): try enterObject()
        case UInt8(ascii: "["): try enterArray()
        default: false
        }
      if !hasFound { return here }
    }
  }

  /// Looks at all members, since a longer name may come later, and goes to the best.
  private mutating func enterObject() throws(JSONSyntaxError) -> Bool {
    var best: (parser: JSONParser, rest: ArraySlice<UInt8>)?
    parser.advance()
    parser.skipSpace()
    while parser.peek != UInt8(ascii: "}") {
      let name = try parser.parseString()
      parser.skipSpace()
      try parser.expect(":")
      if let rest = rest(behind: Array(name.utf8)), rest.count < best?.rest.count ?? .max {
        best = (parser, rest)
      }
      _ = try parser.parseValue(depth: 0)
      try skipComma()
    }
    guard let best else { return false }
    (parser, path) = best
    return true
  }

  /// What of the path follows a member of this name; `nil` where another one is meant.
  private func rest(behind name: [UInt8]) -> ArraySlice<UInt8>? {
    guard path.starts(with: name) else { return nil }
    let rest = path.dropFirst(name.count)
    switch rest.first {
    case nil, UInt8(ascii: "["): return rest
    case UInt8(ascii: "."): return rest.dropFirst()
    default: return nil
    }
  }

  private mutating func enterArray() throws(JSONSyntaxError) -> Bool {
    guard path.first == UInt8(ascii: "["), let end = path.firstIndex(of: UInt8(ascii: "]")),
      let index = Int(String(decoding: path[(path.startIndex + 1)..<end], as: UTF8.self))
    else { return false }
    parser.advance()
    parser.skipSpace()
    for _ in 0..<max(0, index) where parser.peek != UInt8(ascii: "]") {
      _ = try parser.parseValue(depth: 0)
      try skipComma()
    }
    if parser.peek == UInt8(ascii: "]") { return false }
    path = path[(end + 1)...]
    if path.first == UInt8(ascii: ".") { path.removeFirst() }
    return true
  }

  private mutating func skipComma() throws(JSONSyntaxError) {
    parser.skipSpace()
    if parser.peek == UInt8(ascii: ",") {
      parser.advance()
      parser.skipSpace()
    }
  }
}
