extension Scenario {
  /// Two card payments of 80 from an account of 100, which is an actor.
  ///
  /// **What people write.** `withdraw` checks that there is enough, awaits the bank's approval, and
  /// takes the amount off. The account is an actor, so only one thing happens to it at a time.
  ///
  /// **Why it breaks.** One thing at a time, but not one method at a time: at the `await` the actor
  /// is free for the next call. Both payments check before either takes anything off.
  ///
  /// **How it shows.** An account below zero, when the bank is slow. The compiler has checked the
  /// program for data races and found none, and there is none.
  ///
  /// **Repair.** What was known before an `await` is out of date after it: check again there, or
  /// take the amount off first and give it back if the bank says no.
  static let actorReentrancy = Scenario(
    id: "actor-reentrancy", fault: .atomicity,
    summary: "An actor checks a balance, awaits, and then withdraws.",
    expectations: [
      .flawed: .init(.mayErr, observe: .missed, explore: .finds("assertionFailure")),
      .harmful: .init(.errs, observe: .missed, explore: .finds("assertionFailure")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let account = Account(of: Bank(), balance: 100)
      onTasks({ await account.withdrawOnceChecked(80) }, { await account.withdrawOnceChecked(80) })
      onTasks({ demand(await account.balance, equals: 20) })
    },
    harmful: {
      let account = Account(of: Bank(answeringTogether: 2), balance: 100)
      onTasks({ await account.withdrawOnceChecked(80) }, { await account.withdrawOnceChecked(80) })
      onTasks({ demand(await account.balance, equals: 20) })
    },
    repaired: {
      let account = Account(of: Bank(answeringTogether: 2), balance: 100)
      onTasks({ await account.withdraw(80) }, { await account.withdraw(80) })
      onTasks({ demand(await account.balance, equals: 20) })
    })
}

private actor Account {
  private let bank: Bank
  private(set) var balance: Int

  init(of bank: Bank, balance: Int) {
    self.bank = bank
    self.balance = balance
  }

  func withdrawOnceChecked(_ amount: Int) async {
    guard balance >= amount else { return }
    await bank.approve(amount)
    balance -= amount
  }

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await bank.approve(amount)
    guard balance >= amount else { return }
    balance -= amount
  }
}

private actor Bank {
  private let answers: Meeting

  /// A busy bank collects what it is asked, and answers several at once.
  init(answeringTogether number: Int = 1) { answers = Meeting(of: number) }

  func approve(_ amount: Int) async {
    precondition(amount > 0)
    await answers.meet()
  }
}
