/// A JSON text as a value, with the order of members kept.
package enum JSON: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(Number)
  case string(String)
  case array([JSON])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSON

    package init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// A number as its digits, so that 64 bits survive.
  package struct Number: Hashable, Sendable {
    package let text: String

    package init(_ value: some BinaryInteger) { text = String(value) }

    /// Rounded to so many places behind the point; for values that are finite and not huge.
    package init(_ value: Double, places: Int) {
      let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
      let scaled = Int((value * Double(scale)).rounded())
      let sign = scaled < 0 ? "-" : ""
      let digits = String(scaled.magnitude)
      let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
      let fraction = places > 0 ? ".\(padded.suffix(places))" : ""
      text = "\(sign)\(padded.dropLast(places))\(fraction)"
    }

    /// Only for text that the parser has checked against the grammar.
    init(uncheckedText text: String) { self.text = text }
  }

  package static func integer(_ value: some BinaryInteger) -> JSON { .number(Number(value)) }

  package static func decimal(_ value: Double, places: Int) -> JSON {
    .number(Number(value, places: places))
  }
}

extension JSON {
  /// The text, indented by two spaces, with a line break at the end; the same for equal values.
  ///
  /// What holds only scalars stands on one line. Strings are escaped here and nowhere else.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The text's UTF-8.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.write(self, indent: 0)
    writer.bytes.append(UInt8(ascii: "\n"))
    return writer.bytes
  }

  fileprivate var isScalar: Bool {
    switch self {
    case .null, .boolean, .number, .string: true
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    }
  }
}

/// The one place where JSON syntax is written.
private struct JSONWriter {
  var bytes: [UInt8] = []

  mutating func write(_ value: JSON, indent: Int) {
    switch value {
    case .null: put("null")
    case .boolean(let value): put(value ? "true" : "false")
    case .number(let number): put(number.text)
    case .string(let text): writeString(text)
    case .array(let elements):
      let isFlat = elements.allSatisfy(\.isScalar)
      writeList(elements, "[", "]", isFlat, indent) { $0.write($1, indent: indent + 2) }
    case .object(let members):
      let isFlat = members.allSatisfy(\.value.isScalar)
      writeList(members, "{", "}", isFlat, indent) {
        $0.writeString($1.name)
        $0.put(": ")
        $0.write($1.value, indent: indent + 2)
      }
    }
  }

  private mutating func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, _ isFlat: Bool, _ indent: Int,
    _ write: (inout Self, Element) -> Void
  ) {
    put(open)
    for (index, element) in elements.enumerated() {
      if index > 0 { put(isFlat ? ", " : ",") }
      if !isFlat { breakLine(indent + 2) }
      write(&self, element)
    }
    if !isFlat { breakLine(indent) }
    put(close)
  }

  private mutating func writeString(_ text: String) {
    put("\"")
    if Self.isPlain(text) { put(text) } else { writeEscaped(text) }
    put("\"")
  }

  /// Most text is, and then need not be looked at letter by letter.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch Unicode.Scalar(byte) {
      case "\"", "\\": false
      case " "..."~": true
      default: false
      }
    }
  }

  private mutating func writeEscaped(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": put(#"\""#)
      case "\\": put(#"\\"#)
      case "\n": put(#"\n"#)
      case "\r": put(#"\r"#)
      case "\t": put(#"\t"#)
      // Legal as they are, but some readers drop a byte order mark, and JavaScript once broke lines
      // at the others.
      case "\u{0}"..."\u{1F}", "\u{2028}", "\u{2029}", "\u{FEFF}": writeEscaped(scalar)
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }

  private mutating func writeEscaped(_ scalar: Unicode.Scalar) {
    let digits = String(scalar.value, radix: 16)
    put("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func breakLine(_ indent: Int) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
  }
}
