import Testing
import ThreadmillFormats
import ThreadmillModel
import ThreadmillReporting

@Suite struct HTMLTests {
  private func body(_ content: HTML) throws -> Substring {
    let text = HTMLPage(title: "", style: "", body: [content]).text
    let parts = text.split(separator: "<body>\n")
    return try #require(parts.last?.split(separator: "</body>").first)
  }

  @Test func textStaysText() throws {
    let hostile = "</span><script>alert('1')</script> & \"x\"\u{0}\u{1B}\u{85}"
    let escaped =
      "&lt;/span&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;x&quot;"
      + "\u{FFFD}\u{FFFD}\u{FFFD}"
    #expect(try body(.element("span", [], hostile)) == "<span>\(escaped)</span>")
    #expect(
      try body(.element("span", [.init("title", hostile)]))
        == "<span title=\"\(escaped)\"></span>")
    let page = HTMLPage(title: hostile, style: "", body: []).text
    #expect(page.contains("<title>\(escaped)</title>"))
  }

  @Test func lettersOfAllKindsStay() throws {
    #expect(try body(.text("→ ✗ ä 🧵\n\té")) == "→ ✗ ä 🧵\n\té")
  }

  @Test func explorationsAreRows() {
    let report = Report(findings: [], run: .init(id: ""), explorations: Samples.explorations)
    let page = String(decoding: HTMLReport.bytes(of: report, Samples.context), as: UTF8.self)
    #expect(page.contains("<h2>Explored tests</h2>"))
    for explored in Samples.explorations {
      #expect(page.contains("<code>\(explored.test)</code>"))
      #expect(page.contains(explored.words))
    }
  }

  @Test func elementsNest() throws {
    let list = HTML.element(
      "ul", [.init("class", "a b")],
      [.element("li", [], "1"), .element("li", [], [.text("2"), .element("br")])])
    #expect(try body(list) == "<ul class=\"a b\"><li>1</li>\n<li>2<br></li>\n</ul>\n")
  }
}
