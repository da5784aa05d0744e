import Dispatch

extension Scenario {
  /// Pages of a book are fetched side by side, and the reader waits for all of them.
  ///
  /// **What people write.** Each fetch enters a group and leaves it when its page is there. A page
  /// that does not exist is logged, and that is that.
  ///
  /// **Why it breaks.** The failing path never leaves the group, which stays one short for ever.
  ///
  /// **How it shows.** `wait()` never returns, or the notification never comes, and only for books
  /// with a page missing.
  ///
  /// **Repair.** `defer { group.leave() }` at the start of the fetch.
  static let missingLeave = Scenario(
    id: "missing-leave", fault: .deadlocks,
    summary: "A failing path never leaves its group.",
    expectations: [
      .flawed: .init(.hangs, observe: .finds("hang"), explore: .finds("hang"), options: "hang=1"),
      .repaired: .init(.ends, observe: .silent, options: "hang=1"),
    ],
    flawed: { Book(pages: ["one", "", "three"]).read { $0.fetch($1) } },
    repaired: { Book(pages: ["one", "", "three"]).read { $0.fetchToTheEnd($1) } })
}

private final class Book: Sendable {
  private let pages: [String]
  private let group = DispatchGroup()

  init(pages: [String]) { self.pages = pages }

  func read(_ fetch: @escaping @Sendable (Book, String) -> Void) {
    for page in pages {
      group.enter()
      DispatchQueue.global().async { fetch(self, page) }
    }
    group.wait()
  }

  func fetch(_ page: String) {
    guard !page.isEmpty else { return }
    group.leave()
  }

  func fetchToTheEnd(_ page: String) {
    defer { group.leave() }
    guard !page.isEmpty else { return }
  }
}
