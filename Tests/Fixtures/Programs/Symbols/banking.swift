/// Generic code, closures and accessors, which an optimised build puts in place of their calls.
struct Account {
  var balance = 0
  mutating func add(_ amount: Int) { balance += amount }
}

final class Bank {
  var accounts: [String: Account] = [:]

  func transfer(_ from: String, _ to: String, _ amount: Int) {
    accounts[from, default: Account()].add(-amount)
    accounts[to, default: Account()].add(amount)
  }

  var sum: Int { accounts.values.map(\.balance).filter { $0 != 0 }.sorted().reduce(0, +) }
}

let bank = Bank()
for number in 0..<100 { bank.transfer("a\(number % 7)", "b\(number % 3)", number) }
print(bank.sum, [3, 1, 2].sorted().map { "\($0)" }.joined())
