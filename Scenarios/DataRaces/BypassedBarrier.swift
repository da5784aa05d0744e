import Dispatch

extension Scenario {
  /// A photo list is written under a barrier, and one reader takes the array as it is.
  ///
  /// **What people write.** A concurrent queue, readers through `sync`, writers through an
  /// asynchronous barrier. Then somebody adds a number to the title, and `photos.count` is right
  /// there, in the same class.
  ///
  /// **Why it breaks.** A barrier keeps out what comes through the queue. Who does not come through
  /// the queue sees the array in the middle of a change.
  ///
  /// **How it shows.** A list of three photos has the title "0 photos" after it was reloaded; or
  /// the program dies in `count`, in a buffer that is gone.
  ///
  /// **Repair.** That reader goes through `queue.sync` like all others.
  static let bypassedBarrier = Scenario(
    id: "bypassed-barrier", fault: .dataRaces,
    summary: "Writers use a barrier, one reader reads the array directly.",
    expectations: [
      .flawed: .init(.ends, observe: .missed, tsan: .finds("dataRace")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let list = PhotoList()
      let reloaded = Sighting()
      list.reload(done: { reloaded.show() })
      reloaded.wait()
      demand(list.count, equals: 3)
      list.settle()
    },
    harmful: {
      let list = PhotoList()
      let emptied = Sighting()
      let counted = Sighting()
      list.reload(
        loading: {
          emptied.show()
          counted.wait()
        })
      emptied.wait()
      let count = list.count
      counted.show()
      list.settle()
      demand(count, equals: 3)
    },
    repaired: {
      let list = PhotoList()
      let emptied = Sighting()
      let counted = Sighting()
      list.reload(
        loading: {
          emptied.show()
          counted.wait(limit: 0.1)
        })
      emptied.wait()
      let count = list.guardedCount
      counted.show()
      list.settle()
      demand(count, equals: 3)
    })
}

private final class PhotoList: @unchecked Sendable {
  private let queue = DispatchQueue(label: "photos", attributes: .concurrent)
  // Read on the queue, written there under a barrier; but see `count`.
  private var photos = ["beach", "mountain", "harbour"]

  var count: Int { photos.count }

  var guardedCount: Int { queue.sync { photos.count } }

  /// Returns at once; `loading` is called while the list is empty, `done` when it is full again.
  func reload(
    loading: @escaping @Sendable () -> Void = {}, done: @escaping @Sendable () -> Void = {}
  ) {
    queue.async(flags: .barrier) {
      self.photos = []
      loading()
      self.photos = ["beach", "mountain", "harbour"]
      done()
    }
  }

  /// Returns when the list is as it stays.
  func settle() { queue.sync(flags: .barrier) {} }
}
