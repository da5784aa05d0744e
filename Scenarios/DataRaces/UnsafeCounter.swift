import Dispatch
import Foundation

extension Scenario {
  /// Photos and films are downloaded on two queues, and both add to one number.
  ///
  /// **What people write.** Each kind of file has a queue, and a label in the corner tells how many
  /// files are done. `done += 1` stands in both queues; it is only a number.
  ///
  /// **Why it breaks.** Adding is three steps: read, add, write. Where two threads read the same
  /// number, both write the same one back, and one file was never counted.
  ///
  /// **How it shows.** "199 of 200", for ever. With the films as slow as they are, once in
  /// thousands of runs, and never on the developer's machine.
  ///
  /// **Repair.** The number gets a serial queue of its own, and nobody touches it elsewhere.
  static let unsafeCounter = Scenario(
    id: "unsafe-counter", fault: .dataRaces,
    summary: "Two queues add to one counter, one of them slowly.",
    expectations: [
      .flawed: .init(
        .mayErr, observe: .missed, tsan: .finds("dataRace"),
        // Under control time passes when nothing else can go on: the films sleep until the photos
        // are counted, and no schedule loses one.
        explore: .finds("dataRace")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let counter = DownloadCounter()
      let start = Arrivals()
      counter.download(
        photos: {
          start.meet(2, limit: .infinity)
          for _ in 0..<50 { counter.count() }
        },
        films: {
          start.meet(2, limit: .infinity)
          for _ in 0..<10 {
            Thread.sleep(forTimeInterval: 0.001)
            counter.count()
          }
        })
      demand(counter.total, equals: 60)
    },
    harmful: {
      let counter = DownloadCounter()
      let meeting = Arrivals()
      counter.download(
        photos: { counter.count { meeting.meet(2, limit: .infinity) } },
        films: { counter.count { meeting.meet(2, limit: .infinity) } })
      demand(counter.total, equals: 2)
    },
    repaired: {
      let counter = DownloadCounter()
      let meeting = Arrivals()
      counter.download(
        photos: { counter.countInTurn { meeting.meet(2, limit: 0.1) } },
        films: { counter.countInTurn { meeting.meet(2, limit: 0.1) } })
      demand(counter.totalInTurn, equals: 2)
    })
}

private final class DownloadCounter: @unchecked Sendable {
  // Guarded by `turn` after the repair, by nothing before.
  private var done = 0
  private let turn = DispatchQueue(label: "counter")

  var total: Int { done }

  var totalInTurn: Int { turn.sync { done } }

  /// `meanwhile` stands for what a busy machine does between reading and writing.
  func count(meanwhile: () -> Void = {}) {
    let before = done
    meanwhile()
    done = before + 1
  }

  func countInTurn(meanwhile: () -> Void) {
    turn.sync { count(meanwhile: meanwhile) }
  }

  /// Returns when both are done.
  func download(photos: @escaping @Sendable () -> Void, films: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    DispatchQueue(label: "photos").async(group: group, execute: photos)
    DispatchQueue(label: "films").async(group: group, execute: films)
    group.wait()
  }
}
