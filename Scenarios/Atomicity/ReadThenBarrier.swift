import Dispatch

extension Scenario {
  /// Two players join a game whose list is read through `sync` and written through a barrier.
  ///
  /// **What people write.** The textbook's readers and writers: a concurrent queue, `sync` to read,
  /// an asynchronous barrier to write. Who joins reads the list, adds a name and writes it back.
  ///
  /// **Why it breaks.** Reading is safe and writing is safe. Between the two somebody else writes,
  /// and is overwritten by a list that was made of the older one.
  ///
  /// **How it shows.** Of two players who join at the same moment one is not in the game. It is
  /// never seen with a single tester, and there is no data race to report.
  ///
  /// **Repair.** Read and write inside one barrier.
  static let readThenBarrier = Scenario(
    id: "read-then-barrier", fault: .atomicity,
    summary: "A list is read through sync, changed, and written through an asynchronous barrier.",
    expectations: [
      .flawed: .init(.mayErr, observe: .missed, explore: .finds("assertionFailure")),
      .harmful: .init(.errs, observe: .missed, explore: .finds("assertionFailure")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let game = Game()
      onThreads({ game.addInTwoSteps("Ada") }, { game.addInTwoSteps("Bea") })
      demand(game.players.sorted(), equals: ["Ada", "Bea"])
    },
    harmful: {
      let game = Game()
      let both = Arrivals()
      onThreads(
        { game.addInTwoSteps("Ada") { both.meet(2, limit: .infinity) } },
        { game.addInTwoSteps("Bea") { both.meet(2, limit: .infinity) } })
      demand(game.players.sorted(), equals: ["Ada", "Bea"])
    },
    repaired: {
      let game = Game()
      let both = Arrivals()
      onThreads(
        { game.add("Ada") { both.meet(2, limit: 0.1) } },
        { game.add("Bea") { both.meet(2, limit: 0.1) } })
      demand(game.players.sorted(), equals: ["Ada", "Bea"])
    })
}

private final class Game: @unchecked Sendable {
  private let queue = DispatchQueue(label: "game", attributes: .concurrent)
  // Read on the queue, written there under a barrier.
  private var names: [String] = []

  /// A barrier that was submitted before comes before it.
  var players: [String] {
    get { queue.sync { names } }
    set { queue.async(flags: .barrier) { self.names = newValue } }
  }

  /// `meanwhile` stands for what a busy machine does between reading and writing.
  func addInTwoSteps(_ name: String, meanwhile: () -> Void = {}) {
    let before = players
    meanwhile()
    players = before + [name]
  }

  func add(_ name: String, meanwhile: @escaping @Sendable () -> Void) {
    queue.async(flags: .barrier) {
      let before = self.names
      meanwhile()
      self.names = before + [name]
    }
  }
}
