import ThreadmillModel

/// Sixteen digits for a content, the same on every machine.
///
/// It tells apart what runs of one campaign wrote; it is no protection against somebody who wants
/// two contents to have one digest.
enum ContentDigest {
  /// Judgements of findings do not count: a report that was judged is the same report.
  static func text(of json: JSON) -> String {
    var hash = FNV1a()
    mix(json, into: &hash)
    return hash.digits
  }

  static func text(of words: [String]) -> String {
    var hash = FNV1a()
    for word in words { hash.mix(word) }
    return hash.digits
  }

  /// Of a text that was parsed; the same as that of the value.
  static func text(of json: JSONReader) -> String {
    var hash = FNV1a()
    json.mix(into: &hash)
    return hash.digits
  }

  /// What an array puts into the digest of what it is in: that of its elements. A stack that many
  /// reports have is so digested once.
  static func value(of array: JSONReader) -> UInt64 {
    var hash = FNV1a()
    array.mixElements(into: &hash)
    return hash.value
  }

  /// What a value begins with, and what an object ends with, so that no two contents share their
  /// bytes.
  fileprivate enum Mark: UInt8 {
    case null, yes, no, number, string, array, object, member, endOfObject
  }

  fileprivate static let leftOut: StaticString = "judgement"

  private static func mix(_ json: JSON, into hash: inout FNV1a) {
    func mark(_ mark: Mark) { hash.mix(byte: mark.rawValue) }
    switch json {
    case .null: mark(.null)
    case .boolean(let value): mark(value ? .yes : .no)
    case .number(let number):
      mark(.number)
      hash.mix(number.text)
    case .string(let text):
      mark(.string)
      hash.mix(text)
    case .array(let elements):
      mark(.array)
      var own = FNV1a()
      for element in elements { mix(element, into: &own) }
      hash.mix(own.value)
    case .object(let members):
      mark(.object)
      for member in members where member.name != leftOut.description {
        mark(.member)
        hash.mix(member.name)
        mix(member.value, into: &hash)
      }
      mark(.endOfObject)
    }
  }
}

extension JSONReader {
  fileprivate func mix(into hash: inout FNV1a) {
    func mark(_ mark: ContentDigest.Mark) { hash.mix(byte: mark.rawValue) }
    guard let token else { return }
    switch token.sort {
    case .null: mark(.null)
    case .true: mark(.yes)
    case .false: mark(.no)
    case .number:
      mark(.number)
      hash.mix(utf8: text.bytes(token.range))
    case .plainString, .string:
      mark(.string)
      mix(text: token, into: &hash)
    case .array:
      mark(.array)
      hash.mix(ContentDigest.value(of: self))
    case .knownStack:
      mark(.array)
      hash.mix(stacks.takeUnretainedValue().digest(Int(token.stack)))
    case .object:
      mark(.object)
      forEachMember { name, value in
        guard !text.isText(name, ContentDigest.leftOut) else { return }
        hash.mix(byte: ContentDigest.Mark.member.rawValue)
        mix(text: name, into: &hash)
        value.mix(into: &hash)
      }
      mark(.endOfObject)
    }
  }

  fileprivate func mixElements(into hash: inout FNV1a) {
    forEachElement { $0.mix(into: &hash) }
  }

  private func mix(text token: JSONToken, into hash: inout FNV1a) {
    if token.sort == .plainString {
      hash.mix(utf8: text.bytes(token.inside))
    } else {
      hash.mix(text.text(token))
    }
  }
}
