import Foundation

extension Scenario {
  /// A downloader keeps its running operations in a dictionary, to be able to cancel them.
  ///
  /// **What people write.** Whoever wants a photo puts an operation into `pending`; when it has
  /// been done, its completion block takes it out again.
  ///
  /// **Why it breaks.** Callers come on the main thread, completion blocks on whatever thread there
  /// is. A dictionary is a value in a variable: both read it, change it and write it back.
  ///
  /// **How it shows.** A download that cannot be cancelled, because it is not in the dictionary;
  /// one that never starts, because an old one still is; or a crash in the dictionary, under load.
  ///
  /// **Repair.** The dictionary belongs to one queue, and both go there.
  static let pendingDictionary = Scenario(
    id: "pending-dictionary", fault: .dataRaces,
    summary: "Callers and completion blocks change one dictionary of running operations.",
    expectations: [
      .flawed: .init(.ends, observe: .missed, tsan: .finds("dataRace")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let downloader = Downloader()
      let removed = Sighting()
      let completed = Arrivals()
      downloader.start("beach") {
        downloader.remove("beach")
        removed.show()
        completed.announce()
      }
      removed.wait()
      downloader.start("mountain") { completed.announce() }
      completed.wait(for: 2)
    },
    harmful: {
      let downloader = Downloader()
      let removing = Arrivals()
      let added = Sighting()
      let removed = Sighting()
      downloader.start("beach") {
        downloader.removeSlowly("beach") {
          removing.announce()
          added.wait()
        }
        removed.show()
      }
      removing.wait()
      downloader.start("mountain") {}
      added.show()
      removed.wait()
      demand(downloader.addresses, equals: ["mountain"])
    },
    repaired: {
      let downloader = Downloader()
      let removing = Arrivals()
      let added = Sighting()
      let completed = Arrivals()
      downloader.startInTurn("beach") {
        downloader.removeInTurn("beach") {
          removing.announce()
          added.wait(limit: 0.1)
        }
        completed.announce()
      }
      removing.wait()
      downloader.startInTurn("mountain") { completed.announce() }
      added.show()
      completed.wait(for: 2)
      demand(downloader.addressesInTurn, equals: ["mountain"])
    })
}

private final class Downloader: @unchecked Sendable {
  // Used on `turn` only after the repair, anywhere before.
  private var pending: [String: Operation] = [:]
  private let turn = DispatchQueue(label: "downloader")
  private let downloads = OperationQueue()

  var addresses: [String] { Array(pending.keys) }

  var addressesInTurn: [String] { turn.sync { addresses } }

  func start(_ address: String, completion: @escaping @Sendable () -> Void) {
    let operation = BlockOperation {}
    operation.completionBlock = completion
    pending[address] = operation
    downloads.addOperation(operation)
  }

  func startInTurn(_ address: String, completion: @escaping @Sendable () -> Void) {
    turn.sync { start(address, completion: completion) }
  }

  func remove(_ address: String) { pending[address] = nil }

  /// The three steps of `remove`; `meanwhile` stands for what a busy machine does between them.
  func removeSlowly(_ address: String, meanwhile: () -> Void) {
    var others = pending
    meanwhile()
    others[address] = nil
    pending = others
  }

  func removeInTurn(_ address: String, meanwhile: () -> Void) {
    turn.sync { removeSlowly(address, meanwhile: meanwhile) }
  }
}
