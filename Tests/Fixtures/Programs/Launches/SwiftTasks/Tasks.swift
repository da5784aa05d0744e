// The same in Swift with an asynchronous main function.
import Foundation

actor Bank {
  private(set) var balance = 100
  private let isRepaired: Bool

  init(isRepaired: Bool) { self.isRepaired = isRepaired }

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    if isRepaired {
      balance -= amount
      await note()
    } else {
      await note()
      balance -= amount
    }
  }

  private func note() async { await Task.yield() }
}

@main struct Tasks {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard words.first == "overdrawn" else { exit(64) }
    let bank = Bank(isRepaired: words.last == "repaired")
    async let one: Void = bank.withdraw(80)
    async let two: Void = bank.withdraw(80)
    _ = await (one, two)
    let balance = await bank.balance
    precondition(balance >= 0, "overdrawn: \(balance)")
  }
}
