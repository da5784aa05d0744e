import Testing
import ThreadmillModel

@Suite struct InOrderTests {
  @Test func elementsComeInOrder() {
    #expect(Set([3, 1, 2]).inOrder() == [1, 2, 3])
    #expect([String]().inOrder() == [])
  }

  @Test func equalElementsKeepTheirOrder() {
    let words = ["bb", "a", "cc", "b", "aa"]
    #expect(words.inOrder { $0.count < $1.count } == ["a", "b", "bb", "cc", "aa"])
  }
}
