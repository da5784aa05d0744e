import Dispatch
import ThreadmillAnnotations

// A program as it is shipped: annotated, and linked with no gate. Prints what it did.

@main struct Main {
  static func main() {
    let queue = DispatchQueue(label: "ledger")
    let ledger = Confined(to: queue) { Ledger() }
    switch CommandLine.arguments.dropFirst().first {
    case "where-it-belongs":
      queue.sync { book(ledger) }
      queue.async { book(ledger) }
    case "elsewhere":
      queue.sync { book(ledger) }
      book(ledger)
    default: fatalError("usage: annotated where-it-belongs | elsewhere")
    }
    print("entries", queue.sync { ledger.use { $0.entries } })
  }
}

/// What belongs to the queue.
final class Ledger {
  private(set) var entries = 0
  func add() { entries += 1 }
}

/// Writes into the ledger, from wherever it is called.
func book(_ ledger: Confined<Ledger>) { ledger.use { $0.add() } }
