@testable import ThreadmillReporting

extension Tree {
  /// Of the scanner's tokens.
  init(_ json: JSONReader) {
    guard let token = json.token else {
      self = .null
      return
    }
    switch token.sort {
    case .null: self = .null
    case .true: self = .boolean(true)
    case .false: self = .boolean(false)
    case .number:
      self = .number(String(decoding: json.text.bytes(token.range), as: UTF8.self))
    case .plainString, .string: self = .string(json.text.text(token))
    case .array, .knownStack:
      var elements: [Tree] = []
      json.forEachElement { elements.append(Tree($0)) }
      self = .array(elements)
    case .object:
      var members: [Member] = []
      json.forEachMember { members.append(Member(json.text.text($0), Tree($1))) }
      self = .object(members)
    }
  }

  init(scanning bytes: [UInt8]) throws(ReportFormatError) {
    self = try JSONReader.read(bytes) { Tree($0) }
  }

  /// Of a value that was made here.
  init(_ json: JSON) {
    self =
      switch json {
      case .null: .null
      case .boolean(let value): .boolean(value)
      case .number(let number): .number(number.text)
      case .string(let text): .string(text)
      case .array(let elements): .array(elements.map { Tree($0) })
      case .object(let members): .object(members.map { Member($0.name, Tree($0.value)) })
      }
  }
}
