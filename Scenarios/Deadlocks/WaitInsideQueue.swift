import Foundation

extension Scenario {
  /// The last operation of an import waits until its queue is empty, and is in that queue itself.
  ///
  /// **What people write.** Every picture is imported by an operation. One more, at the end, is to
  /// write the index when all pictures are there, so it waits until the queue has finished.
  ///
  /// **Why it breaks.** The queue has finished when its last operation has, and that is the one
  /// that waits.
  ///
  /// **How it shows.** All pictures are there, the index never comes, every time.
  ///
  /// **Repair.** The index depends on the pictures.
  static let waitInsideQueue = Scenario(
    id: "wait-inside-queue", fault: .deadlocks,
    summary: "An operation waits until its own queue has finished.",
    expectations: [
      .flawed: .init(.hangs, observe: .finds("deadlock"), explore: .finds("deadlock")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let importer = PictureImport()
      importer.queue.addOperations(importer.pictures, waitUntilFinished: false)
      importer.queue.addOperation {
        importer.queue.waitUntilAllOperationsAreFinished()
        importer.writeIndex()
      }
      importer.queue.waitUntilAllOperationsAreFinished()
    },
    repaired: {
      let importer = PictureImport()
      let index = BlockOperation { importer.writeIndex() }
      for picture in importer.pictures { index.addDependency(picture) }
      importer.queue.addOperations(importer.pictures + [index], waitUntilFinished: false)
      importer.queue.waitUntilAllOperationsAreFinished()
    })
}

private final class PictureImport: Sendable {
  let queue = OperationQueue()
  let pictures: [Operation] = (1...4).map { number in
    let picture = BlockOperation {}
    picture.name = "picture \(number)"
    return picture
  }

  func writeIndex() {}
}
