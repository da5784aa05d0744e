import ThreadmillModel

/// The orders of locks over a whole run, by class, for a picture: unlike ``LockOrderGraph`` it
/// forgets nothing when a lock dies, and keeps no more than a count and one stack for each order.
///
/// Costs two look-ups for each lock that is held at a nesting that is new.
package struct ClassOrders: Sendable {
  private enum Identity: Hashable {
    /// Made by this stack.
    case made(SharedObject.Kind, [UInt64])
    /// Its creation was not seen.
    case instance(LockID)
  }

  private struct Pair: Hashable {
    var from: Int
    var to: Int
  }

  private let mostClasses: Int
  private let mostOrders: Int
  private var numbers: [Identity: Int] = [:]
  private var classes: [LockGraph.LockClass] = []
  private var orders: [Pair: LockGraph.Edge] = [:]
  /// Classes that turned out not to be locks.
  private var excluded: Set<Int> = []
  /// Orders that there was no room for, each time one was seen.
  package private(set) var leftOut = 0

  package init(mostClasses: Int = 1_024, mostOrders: Int = 4_096) {
    self.mostClasses = mostClasses
    self.mostOrders = mostOrders
  }

  /// Takes a nesting in, before the real lock is taken.
  package mutating func nested(_ event: NestedAcquisition, describe: (LockID) -> SharedObject?) {
    var seen: Set<LockID> = [event.wanted.lock]
    for hold in event.held where seen.insert(hold.lock).inserted {
      guard let from = number(of: hold.lock, used: hold.site, describe),
        let to = number(of: event.wanted.lock, used: event.stack, describe)
      else {
        leftOut += 1
        continue
      }
      note(Pair(from: from, to: to), event.stack)
    }
  }

  /// Forgets the class of an object that is not a lock.
  package mutating func disqualify(_ lock: LockID, describe: (LockID) -> SharedObject?) {
    if let number = describe(lock).flatMap({ numbers[Self.identity($0)] }) {
      excluded.insert(number)
    }
  }

  /// The orders that were seen so far, with the stacks of the events.
  package var graph: LockGraph {
    LockGraph(
      classes: classes,
      edges: orders.values.filter { !excluded.contains($0.from) && !excluded.contains($0.to) })
  }

  private mutating func note(_ pair: Pair, _ stack: Backtrace) {
    if orders[pair] != nil {
      orders[pair]?.count += 1
    } else if orders.count < mostOrders {
      orders[pair] = LockGraph.Edge(from: pair.from, to: pair.to, count: 1, place: stack)
    } else {
      leftOut += 1
    }
  }

  private static func identity(_ object: SharedObject) -> Identity {
    object.created.isEmpty
      ? .instance(object.id) : .made(object.kind, object.created.map(\.address))
  }

  private mutating func number(
    of lock: LockID, used: Backtrace, _ describe: (LockID) -> SharedObject?
  ) -> Int? {
    guard let object = describe(lock) else { return nil }
    let identity = Self.identity(object)
    if let number = numbers[identity] { return number }
    guard classes.count < mostClasses else { return nil }
    numbers[identity] = classes.count
    classes.append(
      LockGraph.LockClass(
        kind: object.kind, label: object.label,
        place: object.created.isEmpty ? used : object.created,
        isFirstUse: object.created.isEmpty))
    return classes.count - 1
  }
}
