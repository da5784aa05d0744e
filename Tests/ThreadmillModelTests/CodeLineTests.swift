import Testing
import ThreadmillModel

@Suite struct CodeLineTests {
  @Test func aLineIsAFileAndANumber() {
    #expect(CodeLine("bank.c:12") == CodeLine(file: "bank.c", line: 12))
    #expect(CodeLine("Sources/Bank/bank.swift:3")?.description == "Sources/Bank/bank.swift:3")
    #expect(CodeLine("a:b.c:4") == CodeLine(file: "a:b.c", line: 4))
    let others = [
      "", "bank.c", "bank.c:", "bank.c:0", "bank.c:-1", ":12", "Sources/:12", "bank.c:x", "a,b.c:1",
    ]
    for text in others {
      #expect(CodeLine(text) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("bank.c", "/home/a/bank.c", true), ("a/bank.c", "/home/a/bank.c", true),
    ("./a/bank.c", "/home/a/bank.c", true), ("/home/a/bank.c", "/home/a/bank.c", true),
    ("bank.c", "bank.c", true), ("bank.c", "/home/a/savingsbank.c", false),
    ("b/bank.c", "/home/a/bank.c", false), ("/a/bank.c", "/home/a/bank.c", false),
  ])
  func aFileIsNamedByTheEndOfItsPath(_ file: String, _ path: String, _ isIn: Bool) {
    #expect(CodeLine(file: file, line: 1).isIn(path) == isIn)
  }

  @Test func theOptionTakesSeveralLines() throws {
    let options = try Options(parsing: "towards=bank.c:12,shop.swift:7")
    #expect(options.towards.map(\.description) == ["bank.c:12", "shop.swift:7"])
    for text in ["bank.c", "bank.c:1,", "bank.c:1,bank.c:1", ""] {
      #expect(throws: InvalidOptions.self, "\(text)") { try Options(parsing: "towards=\(text)") }
    }
  }
}
