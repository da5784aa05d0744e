import Dispatch

extension Scenario {
  /// Two queues share a serial target, and one syncs onto the other.
  ///
  /// **What people write.** Thumbnails and captions each have a queue of their own. To save
  /// threads, both get the storage queue as target. Making a thumbnail asks for the caption with
  /// `sync`.
  ///
  /// **Why it breaks.** With a common serial target, only one block of the whole hierarchy runs at
  /// a time. The block on the thumbnail queue occupies the target, so the one on the caption queue
  /// can never start.
  ///
  /// **How it shows.** A trap in libdispatch with a queue label that appears nowhere near the line
  /// at fault, since the two queues look unrelated where they are used.
  ///
  /// **Repair.** No `sync` inside one hierarchy: the caption is fetched before the hop and handed
  /// over.
  static let syncThroughTarget = Scenario(
    id: "sync-through-target", fault: .deadlocks,
    summary: "A queue syncs onto another one that has the same serial target.",
    expectations: [
      .flawed: .init(.traps, observe: .finds("queueReentry")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let library = PhotoLibrary()
      precondition(library.renderLookingUp(7) == "7: sunset")
    },
    repaired: {
      let library = PhotoLibrary()
      precondition(library.renderHandingOver(7) == "7: sunset")
    })
}

private final class PhotoLibrary: Sendable {
  private let thumbnails: DispatchQueue
  private let captions: DispatchQueue

  init() {
    let storage = DispatchQueue(label: "storage")
    thumbnails = DispatchQueue(label: "thumbnails", target: storage)
    captions = DispatchQueue(label: "captions", target: storage)
  }

  func caption(of photo: Int) -> String { captions.sync { "sunset" } }

  func renderLookingUp(_ photo: Int) -> String {
    thumbnails.sync { "\(photo): \(caption(of: photo))" }
  }

  func renderHandingOver(_ photo: Int) -> String {
    let caption = caption(of: photo)
    return thumbnails.sync { "\(photo): \(caption)" }
  }
}
