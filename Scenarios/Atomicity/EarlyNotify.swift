import Dispatch
import Synchronization

extension Scenario {
  /// An album loads its photos and is to be shown when all of them are there.
  ///
  /// **What people write.** A group, what to do at its end, and then the loop that starts the
  /// downloads, each of which enters the group and leaves it. It reads like a plan: first say what
  /// comes last.
  ///
  /// **Why it breaks.** The end of a group is when nobody is in it, and nobody is in it yet.
  /// `notify` fires at once, once, and never again.
  ///
  /// **How it shows.** The album is shown empty, every time, or whenever the downloads are slower
  /// than the screen. Whoever waits for a full album waits for ever.
  ///
  /// **Repair.** Start the downloads first, each `enter` before its work is handed over; `notify`
  /// comes last.
  static let earlyNotify = Scenario(
    id: "early-notify", fault: .atomicity,
    summary: "A group's notification is set up before anybody has entered the group.",
    expectations: [
      .flawed: .init(.ends, observe: .finds("unbalancedGroup"), explore: .finds("unbalancedGroup")),
      .harmful: .init(
        .hangs, observe: .finds("unbalancedGroup", allowing: "hang"),
        explore: .finds("unbalancedGroup", allowing: "hang")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let album = Album()
      album.openEarly()
      album.shown.wait()
      album.connection.announce()
      album.loaded.wait(for: Album.size)
      album.settle()
    },
    harmful: {
      let album = Album()
      album.openEarly()
      album.shown.wait()
      album.connection.announce()
      album.full.wait()
    },
    repaired: {
      let album = Album()
      album.open()
      album.connection.announce()
      album.full.wait()
    })
}

private final class Album: Sendable {
  static let size = 3

  let shown = Arrivals()
  /// Photos come once it is there.
  let connection = Arrivals()
  let loaded = Arrivals()
  let full = DispatchSemaphore(value: 0)
  private let photos = Mutex<[String]>([])
  private let network = DispatchQueue(label: "network")

  func openEarly() {
    let group = DispatchGroup()
    group.notify(queue: .global()) { self.show() }
    for number in 0..<Self.size {
      group.enter()
      download(number) { group.leave() }
    }
  }

  func open() {
    let group = DispatchGroup()
    for number in 0..<Self.size {
      group.enter()
      download(number) { group.leave() }
    }
    group.notify(queue: .global()) { self.show() }
  }

  /// Returns when the last download has let go of what it held.
  func settle() { network.sync {} }

  private func show() {
    shown.announce()
    if photos.withLock({ $0.count }) == Self.size { full.signal() }
  }

  private func download(_ number: Int, completion: @escaping @Sendable () -> Void) {
    network.async {
      self.connection.wait()
      self.photos.withLock { $0.append("photo \(number)") }
      completion()
      self.loaded.announce()
    }
  }
}
