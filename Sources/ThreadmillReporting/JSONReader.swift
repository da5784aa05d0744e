/// One place in a JSON value together with the way to it, for error messages.
struct JSONReader {
  private let value: JSON?
  private let step: Step
  /// The place of what this is in, `nil` for the whole.
  private let parent: Place?
  /// This place, where it was made: an element's, whose members will all need it.
  private let place: Place?

  private enum Step {
    case top
    case member(String)
    case element(Int)
  }

  /// Made into words only when there is something to say.
  private final class Place {
    let step: Step
    let parent: Place?

    init(_ step: Step, in parent: Place?) { (self.step, self.parent) = (step, parent) }

    var text: String {
      let whole = parent?.text ?? ""
      return switch step {
      case .top: ""
      case .member(let name): whole.isEmpty ? name : "\(whole).\(name)"
      case .element(let index): "\(whole)[\(index)]"
      }
    }
  }

  init(_ root: JSON) { self.init(root, .top, in: nil, place: Place(.top, in: nil)) }

  private init(_ value: JSON?, _ step: Step, in parent: Place?, place: Place? = nil) {
    self.value = value
    self.step = step
    self.parent = parent
    self.place = place
  }

  private var here: Place { place ?? Place(step, in: parent) }

  /// The member of this name; missing where there is none, or where this is no object.
  subscript(name: String) -> JSONReader {
    guard case .object(let members)? = value else {
      return JSONReader(nil, .member(name), in: here)
    }
    return JSONReader(members.first { $0.name == name }?.value, .member(name), in: here)
  }

  /// Not there, or `null`.
  var isMissing: Bool { value == nil || value == .null }

  func members() throws(ReportFormatError) -> [JSON.Member] {
    guard case .object(let members)? = value else { throw expected("an object") }
    return members
  }

  func array() throws(ReportFormatError) -> [JSONReader] {
    guard case .array(let elements)? = value else { throw expected("an array") }
    let whole = here
    return elements.enumerated().map { index, element in
      let step = Step.element(index)
      return JSONReader(element, step, in: whole, place: Place(step, in: whole))
    }
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
    let place = here.text
    return .expected(what, at: place.isEmpty ? "the top" : place)
  }
}
