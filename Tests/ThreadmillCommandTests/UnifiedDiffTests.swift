import Testing

@testable import ThreadmillCommand

@Suite struct UnifiedDiffTests {
  /// Applies a diff as `patch` does, and knows nothing of how it was made.
  private func patched(_ old: [String], with diff: [String]) throws -> [String] {
    var result: [String] = []
    var taken = 0
    for line in diff.dropFirst(2) {
      if let header = line.prefixMatch(of: #/@@ -(\d+),(\d+) \+(\d+),(\d+) @@/#) {
        let first = try #require(Int(header.1))
        let begin = header.2 == "0" ? first : first - 1
        try #require(begin >= taken)
        result += old[taken..<begin]
        taken = begin
        let there = try #require(Int(header.3))
        #expect(result.count == (header.4 == "0" ? there : there - 1))
      } else if line.hasPrefix("+") {
        result.append(String(line.dropFirst()))
      } else {
        #expect(old[taken] == String(line.dropFirst()))
        if !line.hasPrefix("-") { result.append(old[taken]) }
        taken += 1
      }
    }
    return result + old[taken...]
  }

  @Test func applyingItGivesTheOtherText() throws {
    var random = SplitMix(state: 20)
    for _ in 0..<2_000 {
      let old = random.lines()
      let new = random.next(2) == 0 ? random.lines() : random.changed(old)
      let diff = UnifiedDiff(from: old, to: new)
      #expect(diff.lines.filter(\.isOld).map(\.text) == old)
      #expect(diff.lines.filter(\.isNew).map(\.text) == new)
      #expect((diff.changes == 0) == (old == new))
      let text = diff.text(from: "a", to: "b")
      #expect(text.isEmpty == (old == new))
      #expect(try patched(old, with: text) == new, "\(old) \(new)")
    }
  }

  @Test func itIsReadable() {
    let old = """
      func first() {
        one()
      }

      func second() {
        one()
        two()
        three()
        four()
        five()
      }
      """
    let new = old.replacing("five", with: "six").replacing("first", with: "last")
    let diff = UnifiedDiff(from: lines(old), to: lines(new))
    #expect(
      diff.text(from: "old", to: "new").joined(separator: "\n") == """
        --- old
        +++ new
        @@ -1,4 +1,4 @@
        -func first() {
        +func last() {
           one()
         }

        @@ -7,5 +7,5 @@ func second()
           two()
           three()
           four()
        -  five()
        +  six()
         }
        """)
  }

  /// A function that is added is shown whole, not from brace to brace.
  @Test func aRunOfChangesSlides() {
    let old = lines("class A {\n  func a() {\n  }\n}")
    let new = lines("class A {\n  func a() {\n  }\n\n  func b() {\n  }\n}")
    let diff = UnifiedDiff(from: old, to: new)
    #expect(
      diff.lines == [
        .kept("class A {"), .kept("  func a() {"), .kept("  }"), .added(""),
        .added("  func b() {"), .added("  }"), .kept("}"),
      ])
    let back = UnifiedDiff(from: new, to: old)
    #expect(back.lines.filter(\.isChange).first == .removed(""))
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Chance that is the same in every run.
private struct SplitMix {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }

  /// Few different lines, so that many of them are equal.
  mutating func lines() -> [String] {
    (0..<next(20)).map { _ in ["", "}", "{", "a", "b"][next(5)] }
  }

  mutating func changed(_ lines: [String]) -> [String] {
    var lines = lines
    for _ in 0..<(1 + next(3)) {
      let index = next(lines.count + 1)
      if index < lines.count, next(2) == 0 {
        lines.remove(at: index)
      } else {
        lines.insert(["", "}", "c"][next(3)], at: index)
      }
    }
    return lines
  }
}
