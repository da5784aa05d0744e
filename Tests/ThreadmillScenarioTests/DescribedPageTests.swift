import Foundation
import Testing
import ThreadmillTestSupport

/// The pages about described types are what their sources say.
///
/// `THREADMILL_README=write` writes them, and fails on purpose.
@Suite struct DescribedPageTests {
  @Test(arguments: DescribedType.all) func aTypeHasItsPage(_ type: DescribedType) throws {
    let page = try type.page
    let found = try GeneratedBlock.document(type.document, wanted: page)
    #expect(found == page, "\(type.document): \(GeneratedBlock.advice)")
    #expect(page.contains("```diff\n"))
    #expect(page.contains("\n  Operation(\""))
  }

  @Test func everySourceHasItsPage() throws {
    let folder = Checkout.root.appending(path: "Scenarios/Described").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(files) == Set(DescribedType.all.map { "\($0.file).swift" }))
  }
}
