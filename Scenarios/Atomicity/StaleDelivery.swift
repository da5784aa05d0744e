import Dispatch

extension Scenario {
  /// A row of a player list is reused for another player while the first avatar is on its way.
  ///
  /// **What people write.** A row that comes into sight gets a player and starts the download of
  /// the avatar. The completion sets the picture, on the screen's queue, where it belongs.
  ///
  /// **Why it breaks.** Rows are reused while the user scrolls. The answer for the first player may
  /// come after the one for the second, and the last answer wins.
  ///
  /// **How it shows.** The right name with the wrong face, on slow networks, until the next scroll.
  /// Search fields do it as well: results for "ca" below the word "cat".
  ///
  /// **Repair.** Count the requests of the row; an answer to an older request than the latest is
  /// not delivered.
  static let staleDelivery = Scenario(
    id: "stale-delivery", fault: .atomicity,
    summary: "The answer to an older request comes last and replaces the newer one.",
    expectations: [
      .flawed: .init(.mayErr, observe: .missed, explore: .finds("assertionFailure")),
      .harmful: .init(.errs, observe: .missed, explore: .finds("assertionFailure")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let row = Row(of: Network())
      row.showWhateverComes("Ada")
      row.showWhateverComes("Bea")
      demand(row.settledAvatar(), equals: "face of Bea")
    },
    harmful: {
      let row = Row(of: Network(late: "Ada"))
      row.showWhateverComes("Ada")
      row.showWhateverComes("Bea")
      demand(row.settledAvatar(), equals: "face of Bea")
    },
    repaired: {
      let row = Row(of: Network(late: "Ada"))
      row.show("Ada")
      row.show("Bea")
      demand(row.settledAvatar(), equals: "face of Bea")
    })
}

/// Its methods are called by one thread.
private final class Row: @unchecked Sendable {
  private let network: Network
  private let screen = DispatchQueue(label: "screen")
  // Both are used on the screen's queue only.
  private var avatar = "grey circle"
  private var latest = 0

  init(of network: Network) { self.network = network }

  func showWhateverComes(_ player: String) {
    network.download("face of \(player)", for: player, to: screen) { self.avatar = $0 }
  }

  func show(_ player: String) {
    let request = screen.sync {
      latest += 1
      return latest
    }
    network.download("face of \(player)", for: player, to: screen) { picture in
      guard request == self.latest else { return }
      self.avatar = picture
    }
  }

  /// What is seen when every download has come to its end.
  func settledAvatar() -> String {
    network.finish()
    return screen.sync { avatar }
  }
}

private final class Network: Sendable {
  /// Whose answer comes after the others'.
  private let late: String?
  private let delivered = Arrivals()
  private let downloads = DispatchGroup()

  init(late: String? = nil) { self.late = late }

  func download(
    _ picture: String, for player: String, to queue: DispatchQueue,
    completion: @escaping @Sendable (String) -> Void
  ) {
    downloads.enter()
    DispatchQueue(label: "connection of \(player)").async {
      if player == self.late { self.delivered.wait() }
      queue.async {
        completion(picture)
        self.delivered.announce()
        self.downloads.leave()
      }
    }
  }

  func finish() { downloads.wait() }
}
