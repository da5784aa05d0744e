import Dispatch

extension Scenario {
  /// A shop asks a server for a price, and after a while takes the one from the catalogue.
  ///
  /// **What people write.** The request runs on a queue and stores the price; the caller waits for
  /// the group with a timeout. If the time is up, the caller stores the catalogue's price instead.
  ///
  /// **Why it breaks.** Whoever stops waiting does not stop the job. It goes on, and stores its
  /// result when it has one, into what the caller uses by then.
  ///
  /// **How it shows.** The customer sees one price and pays another one, when the server is slow,
  /// but not too slow.
  ///
  /// **Repair.** The job owns its result and hands it over once, to whoever still wants it.
  static let lateWrite = Scenario(
    id: "late-write", fault: .dataRaces,
    summary: "A job writes its result after the caller has stopped waiting for it.",
    expectations: [
      .flawed: .init(.ends, observe: .missed, tsan: .finds("dataRace")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let quote = Quote()
      let paid = Sighting()
      let server = Request {
        paid.wait()
      } answer: {
        quote.price = 250
      }
      if server.isLate() { quote.price = 199 }
      demand(quote.price, equals: 199)
      paid.show()
      server.join()
    },
    harmful: {
      let quote = Quote()
      let seen = Sighting()
      let answered = Sighting()
      let server = Request {
        seen.wait()
      } answer: {
        quote.price = 250
        answered.show()
      }
      if server.isLate() { quote.price = 199 }
      let shown = quote.price
      seen.show()
      answered.wait()
      demand(quote.price, equals: shown)
    },
    repaired: {
      let seen = Sighting()
      let handover = Handover()
      let server = Request {
        seen.wait()
      } answer: {
        handover.offer(250)
      }
      if server.isLate() { handover.offer(199) }
      let shown = handover.price
      seen.show()
      server.join()
      demand(handover.price, equals: shown)
    })
}

private final class Quote: @unchecked Sendable {
  // Guarded by the group's wait, as long as that does not end early.
  var price = 0
}

/// Takes the first price that it is offered.
private final class Handover: @unchecked Sendable {
  private let turn = DispatchQueue(label: "handover")
  // Used on the queue only.
  private var first: Int?

  var price: Int? { turn.sync { first } }

  func offer(_ price: Int) {
    turn.sync { first = first ?? price }
  }
}

/// What was asked of a server that takes its time.
private final class Request: Sendable {
  private let group = DispatchGroup()

  /// `server` takes as long as the answer takes; then `answer` is called.
  init(server: @escaping @Sendable () -> Void, answer: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "network").async(group: group) {
      server()
      answer()
    }
  }

  /// Waits for the answer, but not for long.
  func isLate() -> Bool { group.wait(timeout: .now() + .milliseconds(50)) == .timedOut }

  func join() { group.wait() }
}
