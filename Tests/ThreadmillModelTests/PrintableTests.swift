import Testing
import ThreadmillModel

@Suite struct PrintableTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("a\nb\r\u{7F}", #"a\u{A}b\u{D}\u{7F}"#),
    ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("\u{202E}evil\u{2066}", #"\u{202E}evil\u{2066}"#),
    ("\u{2028}\u{85}", #"\u{2028}\u{85}"#), ("שלום 👩‍👩‍👧 é", "שלום 👩‍👩‍👧 é"),
  ])
  func onlyWhatHarmsIsEscaped(text: String, result: String) {
    #expect(text.printable == result)
  }
}
