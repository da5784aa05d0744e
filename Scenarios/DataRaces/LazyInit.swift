import Foundation
import Synchronization

extension Scenario {
  /// A photo library makes its index when it is first asked for, and two threads ask.
  ///
  /// **What people write.** `lazy var index = scan()`. The scan takes seconds, and most users never
  /// search. Then the search field and the import of new photos want the index at the same time.
  ///
  /// **Why it breaks.** A `lazy var` is an optional that is filled when it is found empty, and
  /// nothing guards it. Two threads find it empty, both scan, and the second index takes the place
  /// of the first, which somebody has in his hands already.
  ///
  /// **How it shows.** Photos that were added to the index are not found until the next start; the
  /// first search is slow twice. Sometimes a crash, where a reference is let go of twice.
  ///
  /// **Repair.** Make it under a lock, or as a `static let`, which is made once.
  static let lazyInit = Scenario(
    id: "lazy-init", fault: .dataRaces,
    summary: "A lazy variable is first touched from two threads.",
    expectations: [
      .flawed: .init(
        .mayErr, observe: .missed, tsan: .finds("dataRace"),
        explore: .finds("dataRace", allowing: "assertionFailure")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let library = PhotoLibrary()
      let start = Arrivals()
      onThreads(
        {
          start.meet(2, limit: .infinity)
          library.index.search()
        },
        {
          start.meet(2, limit: .infinity)
          library.index.search()
        })
      demand(library.scans.load(ordering: .relaxed), equals: 1)
    },
    harmful: {
      let scanning = Arrivals()
      let library = PhotoLibrary { scanning.meet(2, limit: .infinity) }
      onThreads({ library.index.search() }, { library.index.search() })
      demand(library.scans.load(ordering: .relaxed), equals: 1)
    },
    repaired: {
      let scanning = Arrivals()
      let library = PhotoLibrary { scanning.meet(2, limit: 0.1) }
      onThreads({ library.guardedIndex.search() }, { library.guardedIndex.search() })
      demand(library.scans.load(ordering: .relaxed), equals: 1)
    })
}

private final class PhotoLibrary: @unchecked Sendable {
  let scans = Atomic(0)
  // Guarded by `lock` after the repair, by nothing before.
  lazy var index = scan()
  private let lock = NSLock()
  private let readFolders: @Sendable () -> Void

  /// `readFolders` is what takes time in a scan.
  init(readFolders: @escaping @Sendable () -> Void = {}) { self.readFolders = readFolders }

  var guardedIndex: PhotoIndex { lock.withLock { index } }

  private func scan() -> PhotoIndex {
    scans.add(1, ordering: .relaxed)
    readFolders()
    return PhotoIndex()
  }
}

private final class PhotoIndex: Sendable {
  func search() {}
}
