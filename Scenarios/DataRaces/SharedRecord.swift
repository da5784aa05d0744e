import Foundation

extension Scenario {
  /// A photo is downloaded by one operation and filtered by another one, and both have its record.
  ///
  /// **What people write.** A list shows photos; each has a record with its image. One operation
  /// downloads into the record, another one filters what is in it. They are added to the queue one
  /// after the other.
  ///
  /// **Why it breaks.** A queue starts operations in their order, but it does not wait for the
  /// first before it starts the second. The filter reads while the download writes.
  ///
  /// **How it shows.** Some photos in the list stay placeholders, filtered ones; after scrolling
  /// away and back they are right.
  ///
  /// **Repair.** `filter.addDependency(download)`.
  static let sharedRecord = Scenario(
    id: "shared-record", fault: .dataRaces,
    summary: "Download and filter operations share a record, with no dependency.",
    expectations: [
      .flawed: .init(
        .ends, observe: .missed, tsan: .finds("dataRace"),
        explore: .finds("dataRace", allowing: "assertionFailure")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let record = PhotoRecord()
      let both = Arrivals()
      let stored = Sighting()
      let download = BlockOperation {
        both.meet(2, limit: .infinity)
        record.download()
        stored.show()
      }
      let filter = BlockOperation {
        both.meet(2, limit: .infinity)
        stored.wait()
        record.filter()
      }
      show(download, filter)
      demand(record.shown, equals: "mountain, in sepia")
    },
    harmful: {
      let record = PhotoRecord()
      let both = Arrivals()
      let filtered = Sighting()
      let download = BlockOperation {
        both.meet(2, limit: .infinity)
        filtered.wait()
        record.download()
      }
      let filter = BlockOperation {
        both.meet(2, limit: .infinity)
        record.filter()
        filtered.show()
      }
      show(download, filter)
      demand(record.shown, equals: "mountain, in sepia")
    },
    repaired: {
      let record = PhotoRecord()
      let filtered = Sighting()
      let download = BlockOperation {
        filtered.wait(limit: 0.1)
        record.download()
      }
      let filter = BlockOperation {
        record.filter()
        filtered.show()
      }
      filter.addDependency(download)
      show(download, filter)
      demand(record.shown, equals: "mountain, in sepia")
    })
}

/// Returns when both are done.
private func show(_ download: Operation, _ filter: Operation) {
  OperationQueue().addOperations([download, filter], waitUntilFinished: true)
}

/// Guarded by nothing: it is meant to be in the hands of one operation at a time.
private final class PhotoRecord: @unchecked Sendable {
  private var image = "placeholder"
  private(set) var shown = ""

  func download() { image = "mountain" }

  func filter() { shown = image + ", in sepia" }
}
