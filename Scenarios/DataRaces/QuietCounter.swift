import Dispatch

extension Scenario {
  /// A gallery counts its likes, which come in on two queues.
  ///
  /// **What people write.** `likes += 1` where a like comes in. Those of friends come through one
  /// queue, those of strangers through another, and both are done in a moment.
  ///
  /// **Why it breaks.** Adding is three steps: read, add, write. The two loops are so short that
  /// one has mostly ended before the other begins, on the very thread that the other used. Nothing
  /// but luck puts one before the other.
  ///
  /// **How it shows.** Not at all, for months; Thread Sanitizer often runs it without a word. Then
  /// a number is too low, on a day with many likes.
  ///
  /// **Repair.** The number gets a serial queue of its own, and nobody touches it elsewhere.
  static let quietCounter = Scenario(
    id: "quiet-counter", fault: .dataRaces,
    summary: "Two queues add to one counter, and are too quick to be seen at it.",
    expectations: [
      .flawed: .init(
        .mayErr, observe: .missed, tsan: .perhaps("dataRace", rate: 0),
        jitter: .perhaps("dataRace", rate: 0.99),
        explore: .finds("dataRace", allowing: "assertionFailure")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let gallery = Gallery()
      gallery.receive(
        friends: { for _ in 0..<100 { gallery.like() } },
        strangers: { for _ in 0..<100 { gallery.like() } })
      demand(gallery.total, equals: 200)
    },
    harmful: {
      let gallery = Gallery()
      let meeting = Arrivals()
      gallery.receive(
        friends: { gallery.like { meeting.meet(2, limit: .infinity) } },
        strangers: { gallery.like { meeting.meet(2, limit: .infinity) } })
      demand(gallery.total, equals: 2)
    },
    repaired: {
      let gallery = Gallery()
      let meeting = Arrivals()
      gallery.receive(
        friends: { gallery.likeInTurn { meeting.meet(2, limit: 0.1) } },
        strangers: { gallery.likeInTurn { meeting.meet(2, limit: 0.1) } })
      demand(gallery.totalInTurn, equals: 2)
    })
}

private final class Gallery: @unchecked Sendable {
  // Guarded by `turn` after the repair, by nothing before.
  private var likes = 0
  private let turn = DispatchQueue(label: "likes")

  var total: Int { likes }

  var totalInTurn: Int { turn.sync { likes } }

  /// `meanwhile` stands for what a busy machine does between reading and writing.
  func like(meanwhile: () -> Void = {}) {
    let before = likes
    meanwhile()
    likes = before + 1
  }

  func likeInTurn(meanwhile: () -> Void) {
    turn.sync { like(meanwhile: meanwhile) }
  }

  /// Returns when all have come in.
  func receive(
    friends: @escaping @Sendable () -> Void, strangers: @escaping @Sendable () -> Void
  ) {
    let group = DispatchGroup()
    DispatchQueue(label: "friends").async(group: group, execute: friends)
    DispatchQueue(label: "strangers").async(group: group, execute: strangers)
    group.wait()
  }
}
