/// An account with two coins.
package protocol CoinBank: Actor {
  init()
  func withdraw(_ coins: Int) async -> Bool
  func balance() async -> Int
}

/// Looks at the balance, asks the auditor, and pays: meanwhile others were paid.
package actor HastyBank: CoinBank {
  private var coins = 2

  package init() {}

  package func withdraw(_ wanted: Int) async -> Bool {
    guard coins >= wanted else { return false }
    await audit()
    coins -= wanted
    return true
  }

  package func balance() -> Int { coins }

  private func audit() async { await Task.yield() }
}

/// Asks the auditor first, and then looks and pays in one step.
package actor CarefulBank: CoinBank {
  private var coins = 2

  package init() {}

  package func withdraw(_ wanted: Int) async -> Bool {
    await audit()
    guard coins >= wanted else { return false }
    coins -= wanted
    return true
  }

  package func balance() -> Int { coins }

  private func audit() async { await Task.yield() }
}
