/// One place in a JSON value together with the way to it, for error messages.
struct JSONReader {
  private let value: JSON?
  private let path: Path

  /// Made into words only when there is something to say.
  private indirect enum Path {
    case top
    case member(String, of: Path)
    case element(Int, of: Path)

    var text: String {
      switch self {
      case .top: ""
      case .member(let name, of: .top): name
      case .member(let name, let whole): "\(whole.text).\(name)"
      case .element(let index, let whole): "\(whole.text)[\(index)]"
      }
    }
  }

  init(_ root: JSON) { self.init(root, at: .top) }

  private init(_ value: JSON?, at path: Path) {
    self.value = value
    self.path = path
  }

  /// The member of this name; missing where there is none, or where this is no object.
  subscript(name: String) -> JSONReader {
    let path = Path.member(name, of: path)
    guard case .object(let members)? = value else { return JSONReader(nil, at: path) }
    return JSONReader(members.first { $0.name == name }?.value, at: path)
  }

  /// Not there, or `null`.
  var isMissing: Bool { value == nil || value == .null }

  func members() throws(ReportFormatError) -> [JSON.Member] {
    guard case .object(let members)? = value else { throw expected("an object") }
    return members
  }

  func array() throws(ReportFormatError) -> [JSONReader] {
    guard case .array(let elements)? = value else { throw expected("an array") }
    return elements.enumerated().map { JSONReader($1, at: .element($0, of: path)) }
  }

  func string() throws(ReportFormatError) -> String {
    guard case .string(let text)? = value else { throw expected("a string") }
    return text
  }

  func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(ReportFormatError) -> Value {
    guard case .number(let number)? = value, let integer = Value(number.text) else {
      throw expected("an integer that fits")
    }
    return integer
  }

  func boolean() throws(ReportFormatError) -> Bool {
    guard case .boolean(let boolean)? = value else { throw expected("true or false") }
    return boolean
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

  func expected(_ what: String) -> ReportFormatError {
    let place = path.text
    return .expected(what, at: place.isEmpty ? "the top" : place)
  }
}
