import Foundation
import Testing

@testable import ThreadmillReporting

/// Vigna's splitmix64: small, and the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// One of the values, all with the same chance; there has to be one.
  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &self)]
  }
}

enum HostileText {
  /// Each of them has broken a writer somewhere.
  static let fixed = [
    "", "\"", "\\", "\\\"", "\\u0041", "</script>", "&lt;", "%s%n", "{\"a\":[", "]}", "\u{0}",
    String(String.UnicodeScalarView((0...0x1F).map { Unicode.Scalar($0) })), "\u{7F}\u{85}",
    "\u{2028}\u{2029}", "\u{FEFF}", "\u{FFFD}\u{FFFF}", "\u{D7FF}\u{E000}\u{10FFFF}",
    "שלום \u{202E}olleh", "👩‍👩‍👧🧵🇪🇺", "e\u{301}é", "\r\n\t\u{8}\u{C}",
    String(repeating: "🧵\"\\\n", count: 2_500),
  ]

  static func random(using generator: inout SeededGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      let limit = generator.pick([0x20, 0x80, 0x800, 0x1_0000, 0x11_0000])
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<UInt32(limit), using: &generator)) {
        text.append(scalar)
      }
      if Bool.random(using: &generator) {
        text.append(generator.pick(Array("\"\\/u".unicodeScalars)))
      }
    }
    return String(text)
  }
}

@Suite struct JSONWriterTests {
  /// No chance of a wrong failure: it holds for every string.
  @Test func anIndependentParserReadsEveryString() throws {
    let seed: UInt64 = 7
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let texts = HostileText.fixed + (0..<500).map { _ in HostileText.random(using: &generator) }
    let json = JSON.object([JSON.Member("texts", .array(texts.map(JSON.string)))])
    let read = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: [String]]
    #expect(read?["texts"]?.count == texts.count)
    for (text, original) in zip(read?["texts"] ?? [], texts) {
      #expect(Array(text.utf8) == Array(original.utf8))
    }
    #expect(try Tree(scanning: json.bytes) == Tree(json))
    for text in texts {
      let name = JSON.object([JSON.Member(text, .null)])
      let object = try JSONSerialization.jsonObject(with: Data(name.bytes)) as? [String: Any]
      #expect(object?.keys.map { Array($0.utf8) } == [Array(text.utf8)])
    }
  }

  @Test(
    arguments: [
      (0.0, 2, "0.00"), (1, 1, "1.0"), (0.989745, 4, "0.9897"), (0.05, 1, "0.1"), (12.5, 0, "13"),
      (-0.004, 2, "0.00"), (-1.25, 3, "-1.250"), (81, 3, "81.000"), (0.999_96, 4, "1.0000"),
    ])
  func aDecimalHasItsPlaces(_ value: Double, _ places: Int, _ text: String) {
    #expect(JSON.Number(value, places: places).text == text)
  }

  @Test func theFormIsFixed() {
    let json = JSON.object([
      .init("b", .array([])), .init("a", .array([.integer(-1), .integer(UInt64.max), .null])),
      .init("c", .object([.init("x", .boolean(true)), .init("y", .string("\u{1}\n"))])),
      .init("d", .array([.object([]), .array([.array([.boolean(false)])])])),
    ])
    #expect(
      json.text == #"""
        {
          "b": [],
          "a": [-1, 18446744073709551615, null],
          "c": {"x": true, "y": "\u0001\n"},
          "d": [
            {},
            [
              [false]
            ]
          ]
        }

        """#)
  }
}

@Suite struct JSONScannerTests {
  @Test(
    arguments: [
      ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("{", .unexpectedEnd, 1),
      ("[1,]", .unexpectedByte, 3), ("[1 2]", .unexpectedByte, 3),
      ("{\"a\" 1}", .unexpectedByte, 5),
      ("{a:1}", .unexpectedByte, 1), ("{\"a\":1,}", .unexpectedByte, 7), ("tru", .unexpectedEnd, 3),
      ("trux", .unexpectedByte, 3), ("\"a", .unexpectedEnd, 2), ("\"a\nb\"", .controlCharacter, 2),
      ("\"\\x\"", .badEscape, 1), ("\"\\u12g4\"", .badEscape, 5), ("\"\\u12", .unexpectedEnd, 5),
      ("01", .badNumber, 0), ("-", .badNumber, 1), ("1.", .badNumber, 2), ("1e+", .badNumber, 3),
      (".5", .unexpectedByte, 0), ("1 1", .trailingBytes, 2), ("\u{FEFF}1", .unexpectedByte, 0),
      ("{\"a\":1,\"a\":2}", .repeatedName, 7), ("[\"é\",x]", .unexpectedByte, 6),
      (String(repeating: "[", count: 100_000), .tooDeep, 65),
    ] as [(String, JSONSyntaxError.Problem, Int)])
  func wrongTextIsRejectedWithItsPlace(text: String, problem: JSONSyntaxError.Problem, offset: Int)
  {
    let error = JSONSyntaxError(problem: problem, offset: offset)
    #expect(throws: ReportFormatError.syntax(error)) { try Tree(scanning: Array(text.utf8)) }
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], 1), ([0x22, 0x61, 0xC3, 0x22], 2), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
      ([0x22, 0xC0, 0x80, 0x22], 1), ([0x31, 0xF0, 0x9F], 1),
    ] as [([UInt8], Int)])
  func invalidUTF8IsRejectedWithItsPlace(bytes: [UInt8], offset: Int) {
    let error = JSONSyntaxError(problem: .invalidUTF8, offset: offset)
    #expect(throws: ReportFormatError.syntax(error)) { try Tree(scanning: bytes) }
  }

  @Test(arguments: [
    (#""\ud83e\uddf5""#, "🧵"), (#""\ud83e""#, "\u{FFFD}"), (#""\uddf5x""#, "\u{FFFD}x"),
    (#""\ud83e\ud83e\uddf5""#, "\u{FFFD}🧵"), (#""\ud83e\n""#, "\u{FFFD}\n"),
    (#""\ud83eA""#, "\u{FFFD}A"), (#""\u0000\/\b\f\"""#, "\u{0}/\u{8}\u{C}\""),
  ])
  func escapesGiveTheirScalars(text: String, value: String) throws {
    #expect(try Tree(scanning: Array(text.utf8)) == .string(value))
  }

  @Test(arguments: ["0", "-0", "1.5e-3", "18446744073709551615", "1E400"])
  func numbersKeepTheirDigits(text: String) throws {
    #expect(try Tree(scanning: Array(text.utf8)) == .number(text))
  }

  /// Cut anywhere, a text is rejected, and never read as something else.
  @Test func everyPrefixIsRejected() {
    let bytes = Array(#"{"a": [1, -2.5e3, "\u00e9\n", {"b": null}], "c": true}"#.utf8)
    for length in 0..<bytes.count {
      #expect(throws: ReportFormatError.self) { try Tree(scanning: Array(bytes[..<length])) }
    }
  }
}
