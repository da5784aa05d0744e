import Bank
import Foundation
import Testing

@Suite struct BankTests {
  @Test func startsRich() { #expect(Bank().total == 200) }

  /// One transfer after the other: passes, and would not if they met.
  @Test func transfersBothWays() {
    let bank = Bank()
    for (from, to) in [(0, 1), (1, 0)] {
      let thread = Thread { bank.transfer(10, from: from, to: to) }
      thread.start()
      // Waiting for a signal would order the two transfers: then they could not deadlock.
      while !thread.isFinished { usleep(100) }
    }
    #expect(bank.total == 200)
  }
}
