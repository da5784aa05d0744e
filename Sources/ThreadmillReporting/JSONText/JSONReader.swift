/// One place in a JSON text, which is decoded only where somebody asks.
///
/// Valid only in the closure that it was lent to. Copying it costs no count of references: a large
/// report has millions of places.
struct JSONReader {
  let text: JSONTokens
  /// The value; where it is missing, what it should have been in.
  let place: Int
  let stacks: Unmanaged<KnownStacks>
  /// The name of a member that is not there.
  private let missing: StaticString?
  /// Whether this was looked for in what is no object.
  private let isInNothing: Bool

  /// Lends the top of a text.
  ///
  /// - Parameter stacks: those of other texts that are likely to come again in this one.
  static func read<Value>(
    _ bytes: [UInt8], knowing stacks: KnownStacks = KnownStacks(),
    _ body: (JSONReader) throws(ReportFormatError) -> Value
  ) throws(ReportFormatError) -> Value {
    do throws(ReportFormatError) {
      return try readOnce(bytes, knowing: stacks, body)
    } catch {
      // A known stack where no stack belongs has no elements to look at: what is wrong, or that
      // nothing is, is seen without such short cuts.
      if stacks.isEmpty { throw error }
      return try readOnce(bytes, knowing: KnownStacks(), body)
    }
  }

  private static func readOnce<Value>(
    _ bytes: [UInt8], knowing stacks: KnownStacks,
    _ body: (JSONReader) throws(ReportFormatError) -> Value
  ) throws(ReportFormatError) -> Value {
    try bytes.withUnsafeBufferPointer { bytes throws(ReportFormatError) in
      let tokens: [JSONToken]
      do throws(JSONSyntaxError) {
        tokens = try JSONScanner.tokens(of: bytes, knowing: stacks)
      } catch {
        throw ReportFormatError.syntax(error)
      }
      stacks.begin()
      return try tokens.withUnsafeBufferPointer { tokens throws(ReportFormatError) in
        let text = JSONTokens(bytes: bytes, tokens: tokens)
        let top = JSONReader(text, .passUnretained(stacks), at: 0)
        return try withExtendedLifetime(stacks) { () throws(ReportFormatError) in try body(top) }
      }
    }
  }

  private init(
    _ text: JSONTokens, _ stacks: Unmanaged<KnownStacks>, at place: Int,
    missing: StaticString? = nil, isInNothing: Bool = false
  ) {
    self.text = text
    self.stacks = stacks
    self.place = place
    self.missing = missing
    self.isInNothing = isInNothing
  }

  /// `nil` where there is no value.
  var token: JSONToken? { missing == nil && !isInNothing ? text[place] : nil }

  /// The member of this name; missing where there is none, or where this is no object.
  subscript(name: StaticString) -> JSONReader {
    guard let token, token.sort == .object else {
      return JSONReader(text, stacks, at: place, missing: missing, isInNothing: true)
    }
    var member = place + 1
    while member < token.next {
      if text.isText(text[member], name) { return at(member + 1) }
      member = Int(text[member + 1].next)
    }
    return JSONReader(text, stacks, at: place, missing: name)
  }

  private func at(_ place: Int) -> JSONReader { JSONReader(text, stacks, at: place) }

  /// Not there, or `null`.
  var isMissing: Bool { token.map { $0.sort == .null } ?? true }

  // MARK: Values

  func members() throws(ReportFormatError) -> [(name: String, value: JSONReader)] {
    guard token?.sort == .object else { throw expected("an object") }
    var members: [(String, JSONReader)] = []
    forEachMember { members.append((text.text($0), $1)) }
    return members
  }

  /// The elements of an array, each read by the closure.
  func array<Value>(
    _ read: (JSONReader) throws(ReportFormatError) -> Value
  ) throws(ReportFormatError) -> [Value] {
    guard token?.sort == .array else { throw expected("an array") }
    var values: [Value] = []
    try forEachElement { element throws(ReportFormatError) in values.append(try read(element)) }
    return values
  }

  /// Of an object.
  func forEachMember<Failure>(
    _ body: (_ name: JSONToken, JSONReader) throws(Failure) -> Void
  ) throws(Failure) {
    var member = place + 1
    while member < text[place].next {
      try body(text[member], at(member + 1))
      member = Int(text[member + 1].next)
    }
  }

  /// Of an array.
  func forEachElement<Failure>(_ body: (JSONReader) throws(Failure) -> Void) throws(Failure) {
    var element = place + 1
    while element < text[place].next {
      try body(at(element))
      element = Int(text[element].next)
    }
  }

  func string() throws(ReportFormatError) -> String {
    guard let token, token.sort == .string || token.sort == .plainString else {
      throw expected("a string")
    }
    return text.text(token)
  }

  func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(ReportFormatError) -> Value {
    guard let token, token.sort == .number,
      let integer = Value(String(decoding: text.bytes(token.range), as: UTF8.self))
    else { throw expected("an integer that fits") }
    return integer
  }

  /// How many there are, or which one it is.
  func count() throws(ReportFormatError) -> Int {
    let count = try integer(Int.self)
    guard count >= 0 else { throw expected("a whole number that is not negative") }
    return count
  }

  func boolean() throws(ReportFormatError) -> Bool {
    switch token?.sort {
    case .true: true
    case .false: false
    default: throw expected("true or false")
    }
  }

  /// One of the names of an enumeration.
  func name<Value: RawRepresentable & CaseIterable>() throws(ReportFormatError) -> Value
  where Value.RawValue == String {
    guard let value = Value(rawValue: try string()) else {
      throw expected(Value.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return value
  }

  /// The number of an identifier such as `L12`.
  func number<Value: FixedWidthInteger>(after prefix: String) throws(ReportFormatError) -> Value {
    let text = try string()
    guard text.hasPrefix(prefix), let number = Value(text.dropFirst(prefix.count)) else {
      throw expected("\(prefix) and a number")
    }
    return number
  }

  func optionalString() throws(ReportFormatError) -> String? {
    isMissing ? nil : try string()
  }

  func optionalInteger<Value: FixedWidthInteger>(
    _ type: Value.Type
  ) throws(ReportFormatError) -> Value? {
    isMissing ? nil : try integer(type)
  }

  func optionalBoolean() throws(ReportFormatError) -> Bool? {
    isMissing ? nil : try boolean()
  }

  // MARK: Errors

  /// Made into words only when there is something to say.
  func expected(_ what: String) -> ReportFormatError {
    let way = way(to: place) + (missing.map { [.member($0.description)] } ?? [])
    let path = way.reduce(into: "") { $1.append(to: &$0) }
    return .expected(
      isInNothing ? "an object" : what, at: path.isEmpty ? "the top" : path,
      byte: Int(text[place].start))
  }

  private enum Step {
    case member(String)
    case element(Int)

    func append(to path: inout String) {
      switch self {
      case .member(let name): path += path.isEmpty ? name : ".\(name)"
      case .element(let index): path += "[\(index)]"
      }
    }
  }

  /// From the top to a value.
  private func way(to target: Int) -> [Step] {
    var steps: [Step] = []
    var here = 0
    while here != target {
      let isObject = text[here].sort == .object
      var index = 0
      var child = here + (isObject ? 2 : 1)
      while text[child].next <= target {
        child = Int(text[child].next) + (isObject ? 1 : 0)
        index += 1
      }
      steps.append(isObject ? .member(text.text(text[child - 1])) : .element(index))
      here = child
    }
    return steps
  }
}
