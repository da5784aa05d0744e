import ThreadmillModel

/// A small scenario: what each of a few threads calls, in order.
package struct CallPlan: Hashable, Sendable {
  /// An operation with its arguments, as numbers; smaller ones are simpler.
  package struct Call: Hashable, Comparable, Sendable {
    package var operation: Int
    package var argument: Int
    /// The call is cancelled while it runs.
    package var isCancelled: Bool

    package init(operation: Int, argument: Int = 0, isCancelled: Bool = false) {
      (self.operation, self.argument, self.isCancelled) = (operation, argument, isCancelled)
    }

    private var order: (Int, Int, Int) { (operation, isCancelled ? 1 : 0, argument) }

    package static func < (one: Self, other: Self) -> Bool { one.order < other.order }
  }

  /// No thread is without a call.
  package var threads: [[Call]]

  package init(threads: [[Call]]) { self.threads = threads.filter { !$0.isEmpty } }

  package var count: Int { threads.reduce(0) { $0 + $1.count } }

  /// The same for plans that differ only in which thread is which.
  package var canonical: CallPlan {
    CallPlan(
      threads: threads.inOrder {
        $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1)
      })
  }
}

extension CallPlan: CustomStringConvertible {
  /// `0.0 1.2|3!.0`: threads, calls, and of each call operation and argument; `!` for cancelled.
  package var description: String {
    threads.map { calls in
      calls.map { "\($0.operation)\($0.isCancelled ? "!" : "").\($0.argument)" }
        .joined(separator: " ")
    }.joined(separator: "|")
  }

  /// Reads what ``description`` wrote; `nil` for anything else.
  package init?(_ text: some StringProtocol) {
    var threads: [[Call]] = []
    for part in text.split(separator: "|", omittingEmptySubsequences: false) {
      var calls: [Call] = []
      for word in part.split(separator: " ") {
        let numbers = word.split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 2, let argument = Int(numbers[1]), argument >= 0 else { return nil }
        let isCancelled = numbers[0].last == "!"
        guard let operation = Int(isCancelled ? numbers[0].dropLast() : numbers[0]), operation >= 0
        else { return nil }
        calls.append(Call(operation: operation, argument: argument, isCancelled: isCancelled))
      }
      if calls.isEmpty { return nil }
      threads.append(calls)
    }
    self.init(threads: threads)
  }
}
