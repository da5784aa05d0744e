import Foundation
import Synchronization

extension Scenario {
  /// A photo is downloaded and then filtered, and the user scrolls on in the meantime.
  ///
  /// **What people write.** Two operations, the filter depends on the download. When the photo goes
  /// out of sight, the download is cancelled.
  ///
  /// **Why it breaks.** A cancelled operation is a finished operation, and for a dependency that is
  /// enough. The filter starts as if everything were there, and there is no photo.
  ///
  /// **How it shows.** Black tiles in the album after fast scrolling; with a `!` on the missing
  /// photo it is a crash. With a fast network the download is over before anybody cancels it.
  ///
  /// **Repair.** The filter looks whether it was itself cancelled and whether it has an input, and
  /// who cancels the download cancels the filter, too.
  static let ignoredCancel = Scenario(
    id: "ignored-cancel", fault: .atomicity,
    summary: "An operation runs although the one it depends on was cancelled and left no data.",
    expectations: [
      .flawed: .init(.mayErr, observe: .missed, explore: .finds("assertionFailure")),
      .harmful: .init(.errs, observe: .missed, explore: .finds("assertionFailure")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let album = Album()
      let download = Download()
      download.answer.announce()
      album.add(download, Filter(of: download, into: album))
      album.scrollAway { download.cancel() }
      demand(album.tiles.filter(\.isEmpty).count, equals: 0)
    },
    harmful: {
      let album = Album()
      let download = Download()
      album.add(download, Filter(of: download, into: album))
      download.begun.wait()
      album.scrollAway {
        download.cancel()
        download.answer.announce()
      }
      demand(album.tiles.filter(\.isEmpty).count, equals: 0)
    },
    repaired: {
      let album = Album()
      let download = Download()
      let filter = CarefulFilter(of: download, into: album)
      album.add(download, filter)
      download.begun.wait()
      album.scrollAway {
        download.cancel()
        filter.cancel()
        download.answer.announce()
      }
      demand(album.tiles.filter(\.isEmpty).count, equals: 0)
    })
}

/// `shown` is its own lock; there is no other state.
private final class Album: Sendable {
  private let queue = OperationQueue()
  private let shown = Mutex<[String]>([])

  var tiles: [String] { shown.withLock { $0 } }

  func add(_ download: Download, _ filter: Filter) {
    filter.addDependency(download)
    queue.addOperations([download, filter], waitUntilFinished: false)
  }

  func show(_ tile: String) { shown.withLock { $0.append(tile) } }

  /// Returns when nothing is under way any more.
  func scrollAway(_ cancel: () -> Void) {
    cancel()
    queue.waitUntilAllOperationsAreFinished()
  }
}

/// `received` is its own lock; there is no other state.
private final class Download: Operation, @unchecked Sendable {
  let begun = Arrivals()
  /// The photo comes once it is announced.
  let answer = Arrivals()
  private let received = Mutex<String?>(nil)

  var photo: String? { received.withLock { $0 } }

  override func main() {
    begun.announce()
    answer.wait()
    guard !isCancelled else { return }
    received.withLock { $0 = "beach" }
  }
}

/// Adds no state that changes.
private class Filter: Operation, @unchecked Sendable {
  let download: Download
  let album: Album

  init(of download: Download, into album: Album) {
    self.download = download
    self.album = album
  }

  override func main() { album.show(download.photo ?? "") }
}

/// Adds no state.
private final class CarefulFilter: Filter, @unchecked Sendable {
  override func main() {
    guard !isCancelled, let photo = download.photo else { return }
    album.show(photo)
  }
}
