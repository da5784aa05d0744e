import Dispatch

/// Tickets: the first one is served first.
package protocol TicketLine: AnyObject, Sendable {
  init()
  func add(_ ticket: Int)
  func next() -> Int?
}

/// Reads first, and removes inside of a barrier of its own: the same ticket is served twice.
package final class HastyTicketLine: TicketLine, @unchecked Sendable {
  private let queue = DispatchQueue(label: "tickets", attributes: .concurrent)
  // Guarded by `queue`.
  private var tickets: [Int] = []

  package init() {}

  package func add(_ ticket: Int) {
    queue.sync(flags: .barrier) { tickets.append(ticket) }
  }

  package func next() -> Int? {
    guard let first = queue.sync(execute: { tickets.first }) else { return nil }
    queue.sync(flags: .barrier) { tickets.removeAll { $0 == first } }
    return first
  }
}

/// Reads and removes inside of one barrier.
package final class CarefulTicketLine: TicketLine, @unchecked Sendable {
  private let queue = DispatchQueue(label: "tickets", attributes: .concurrent)
  // Guarded by `queue`.
  private var tickets: [Int] = []

  package init() {}

  package func add(_ ticket: Int) {
    queue.sync(flags: .barrier) { tickets.append(ticket) }
  }

  package func next() -> Int? {
    queue.sync(flags: .barrier) { tickets.isEmpty ? nil : tickets.removeFirst() }
  }
}
