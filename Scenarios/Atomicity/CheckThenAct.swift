import Foundation
import Synchronization

extension Scenario {
  /// A notebook keeps its open pages in a cache, and two windows open the same page.
  ///
  /// **What people write.** Look into the cache; if the page is not there, read it from the disk
  /// and store it. The dictionary is guarded by a lock, which is taken for the look and for the
  /// store, but not while the disk is read.
  ///
  /// **Why it breaks.** Both windows look before either stores. Each reads a page of its own, and
  /// the second store throws the first page out.
  ///
  /// **How it shows.** What was written in one of the windows is gone after both were closed. In
  /// milder cases the same file is only downloaded twice, and nobody notices.
  ///
  /// **Repair.** Look and store in one section; where reading takes long, store a promise of the
  /// page for its key and read outside.
  static let checkThenAct = Scenario(
    id: "check-then-act", fault: .atomicity,
    summary: "A cache is asked and filled under its lock, but in two steps.",
    expectations: [
      .flawed: .init(.mayErr, observe: .missed, explore: .finds("assertionFailure")),
      .harmful: .init(.errs, observe: .missed, explore: .finds("assertionFailure")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let notebook = Notebook()
      onThreads(
        { notebook.openInTwoSteps(7).write("milk") },
        { notebook.openInTwoSteps(7).write("bread") })
      demand(notebook.openInTwoSteps(7).lines.sorted(), equals: ["bread", "milk"])
    },
    harmful: {
      let notebook = Notebook()
      let both = Arrivals()
      onThreads(
        { notebook.openInTwoSteps(7) { both.meet(2, limit: .infinity) }.write("milk") },
        { notebook.openInTwoSteps(7) { both.meet(2, limit: .infinity) }.write("bread") })
      demand(notebook.openInTwoSteps(7).lines.sorted(), equals: ["bread", "milk"])
    },
    repaired: {
      let notebook = Notebook()
      let both = Arrivals()
      onThreads(
        { notebook.open(7) { both.meet(2, limit: 0.1) }.write("milk") },
        { notebook.open(7) { both.meet(2, limit: 0.1) }.write("bread") })
      demand(notebook.open(7).lines.sorted(), equals: ["bread", "milk"])
    })
}

/// `lock` protects `pages`.
private final class Notebook: @unchecked Sendable {
  private let lock = NSLock()
  private var pages: [Int: Page] = [:]

  /// `reading` stands for the time that the disk takes.
  func openInTwoSteps(_ number: Int, reading: () -> Void = {}) -> Page {
    if let page = lock.withLock({ pages[number] }) { return page }
    reading()
    let page = Page()
    lock.withLock { pages[number] = page }
    return page
  }

  func open(_ number: Int, reading: () -> Void = {}) -> Page {
    lock.withLock {
      if let page = pages[number] { return page }
      reading()
      let page = Page()
      pages[number] = page
      return page
    }
  }
}

/// `written` is its own lock; there is no other state.
private final class Page: Sendable {
  private let written = Mutex<[String]>([])

  var lines: [String] { written.withLock { $0 } }

  func write(_ line: String) { written.withLock { $0.append(line) } }
}
