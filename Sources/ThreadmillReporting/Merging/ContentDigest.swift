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

  /// Each value begins with a byte for its sort and has an end, so that no two share their bytes.
  private static func mix(_ json: JSON, into hash: inout FNV1a) {
    switch json {
    case .null: hash.mix(byte: 0)
    case .boolean(let value): hash.mix(byte: value ? 1 : 2)
    case .number(let number):
      hash.mix(byte: 3)
      hash.mix(number.text)
    case .string(let text):
      hash.mix(byte: 4)
      hash.mix(text)
    case .array(let elements):
      hash.mix(byte: 5)
      for element in elements { mix(element, into: &hash) }
      hash.mix(byte: 6)
    case .object(let members):
      hash.mix(byte: 7)
      for member in members where member.name != "judgement" {
        hash.mix(byte: 8)
        hash.mix(member.name)
        mix(member.value, into: &hash)
      }
      hash.mix(byte: 9)
    }
  }
}
