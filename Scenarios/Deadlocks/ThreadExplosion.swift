import Dispatch
import Foundation

extension Scenario {
  /// Thumbnails wait on a concurrent queue for renderings that are queued behind them.
  ///
  /// **What people write.** Each thumbnail is a block that needs its rendering, another block on
  /// the same queue, and waits for it with a group. All thumbnails are put in first.
  ///
  /// **Why it breaks.** Every thread of the pool takes a thumbnail and blocks. libdispatch adds a
  /// thread each second, and that takes a thumbnail, too. No rendering begins before all
  /// thumbnails have a thread; beyond the pool's limit of 255 none ever does.
  ///
  /// **How it shows.** A burst of work takes a minute at 0 % CPU instead of a second, with a
  /// hundred threads in the debugger, or never ends.
  ///
  /// **Repair.** Let the rendering call the rest, by `notify`; or limit the width of the queue and
  /// do not block in it.
  static let threadExplosion = Scenario(
    id: "thread-explosion", fault: .deadlocks,
    summary: "Dozens of blocks on a concurrent queue block on work that is queued behind them.",
    expectations: [
      .flawed: .init(.hangs, observe: .finds("poolStarvation", allowing: "hang")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let album = Album()
      for _ in 0..<album.pictures { album.queue.async { album.waitForRendering() } }
      for _ in 0..<album.pictures { album.queue.async { album.renderings.leave() } }
      album.thumbnails.wait()
    },
    repaired: {
      let album = Album()
      for _ in 0..<album.pictures { album.queue.async { album.renderings.leave() } }
      album.renderings.notify(queue: album.queue) {
        for _ in 0..<album.pictures { album.thumbnails.leave() }
      }
      album.thumbnails.wait()
    })
}

private final class Album: Sendable {
  let pictures = 400
  let queue = DispatchQueue(label: "album", attributes: .concurrent)
  let renderings = DispatchGroup()
  let thumbnails = DispatchGroup()

  init() {
    for _ in 0..<pictures {
      renderings.enter()
      thumbnails.enter()
    }
  }

  func waitForRendering() {
    renderings.wait()
    thumbnails.leave()
  }
}
