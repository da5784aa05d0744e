import Dispatch

extension Scenario {
  /// Photos are downloaded on a concurrent queue and end up in one array.
  ///
  /// **What people write.** A concurrent queue, a group, and `photos.append(photo)` in each
  /// download. The group tells when all are there.
  ///
  /// **Why it breaks.** An array is a value in a variable: `append` reads the variable, makes the
  /// value longer and writes it back. Two of them at once start from the same value. The group only
  /// orders the downloads before its end, not one download before the other.
  ///
  /// **How it shows.** A photo is missing, now and then; or the program dies in `append`, where two
  /// threads let go of the same buffer.
  ///
  /// **Repair.** Download at once, collect on a serial queue.
  static let arrayAppend = Scenario(
    id: "array-append", fault: .dataRaces,
    summary: "Downloads on a concurrent queue append to one array.",
    expectations: [
      .flawed: .init(.ends, observe: .missed, tsan: .finds("dataRace")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let album = Album()
      let loading = Arrivals()
      let small = Sighting()
      album.download(
        {
          loading.meet(2, limit: .infinity)
          album.append("a small photo")
          small.show()
        },
        {
          loading.meet(2, limit: .infinity)
          small.wait()
          album.append("a big photo")
        })
      demand(album.count, equals: 2)
    },
    harmful: {
      let album = Album()
      let loading = Arrivals()
      let small = Sighting()
      album.download(
        {
          album.appendSlowly("a small photo") { loading.meet(2, limit: .infinity) }
          small.show()
        },
        {
          album.appendSlowly("a big photo") {
            loading.meet(2, limit: .infinity)
            small.wait()
          }
        })
      demand(album.count, equals: 2)
    },
    repaired: {
      let album = Album()
      let loading = Arrivals()
      let small = Sighting()
      album.download(
        {
          album.collect("a small photo") { loading.meet(2, limit: 0.1) }
          small.show()
        },
        {
          album.collect("a big photo") {
            loading.meet(2, limit: 0.1)
            small.wait(limit: 0.1)
          }
        })
      demand(album.collected, equals: 2)
    })
}

private final class Album: @unchecked Sendable {
  // Guarded by `shelf` after the repair, by nothing before.
  private var photos: [String] = []
  private let shelf = DispatchQueue(label: "album")

  var count: Int { photos.count }

  var collected: Int { shelf.sync { photos.count } }

  func append(_ photo: String) { photos.append(photo) }

  /// The three steps of `append`; `meanwhile` stands for what a busy machine does between them.
  func appendSlowly(_ photo: String, meanwhile: () -> Void) {
    var longer = photos
    meanwhile()
    longer.append(photo)
    photos = longer
  }

  func collect(_ photo: String, meanwhile: () -> Void) {
    shelf.sync { appendSlowly(photo, meanwhile: meanwhile) }
  }

  /// Returns when both are done.
  func download(_ one: @escaping @Sendable () -> Void, _ other: @escaping @Sendable () -> Void) {
    let downloads = DispatchQueue(label: "downloads", attributes: .concurrent)
    let group = DispatchGroup()
    downloads.async(group: group, execute: one)
    downloads.async(group: group, execute: other)
    group.wait()
  }
}
