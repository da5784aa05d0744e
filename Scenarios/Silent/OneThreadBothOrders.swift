import Foundation

extension Scenario {
  /// The importer, one thread, copies between two catalogues in both directions.
  ///
  /// **What people write.** A lock for each of the two objects, and one background thread that
  /// works on both, now this way round and now that.
  ///
  /// **Why it looks dangerous.** Both orders of the two locks happen in every run.
  ///
  /// **Why it is correct.** It takes two to deadlock. Other threads use one of the locks at a time.
  /// Threadmill accuses nobody, and leaves a note: two threads that both copied could deadlock.
  static let oneThreadBothOrders = Scenario(
    id: "one-thread-both-orders", summary: "One thread alone uses both orders of two locks.",
    correct: {
      let (albums, songs) = (Shelf(), Shelf())
      onThreads(
        {
          for _ in 0..<100 {
            albums.copy(to: songs)
            songs.copy(to: albums)
          }
        },
        {
          for item in 0..<100 { albums.add(item) }
        },
        {
          for item in 0..<100 { songs.add(item) }
        })
    })
}

/// `lock` protects `items`.
private final class Shelf: @unchecked Sendable {
  private let lock = NSLock()
  private var items: Set<Int> = []

  func add(_ item: Int) { lock.withLock { _ = items.insert(item) } }

  func copy(to other: Shelf) {
    lock.lock()
    other.lock.lock()
    other.items.formUnion(items)
    other.lock.unlock()
    lock.unlock()
  }
}
