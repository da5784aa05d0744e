import Foundation
import Ledger
import Testing
import ThreadmillTesting

// Tests that say that they race, one after the other with the rest: what Thread Sanitizer remembers
// of a thread that has ended is for whoever needs the room.

extension LedgerTests {
  @Test(.expectedFinding(.dataRace)) func expectedToRace() {
    let ledger = Ledger()
    together {
      ledger.addUnguarded(1)
    } _: {
      ledger.addUnguarded(2)
    }
  }

  @Test(.expectedFinding(.dataRace)) func expectedAndMissed() {
    let ledger = Ledger()
    together {
      ledger.addGuarded(1)
    } _: {
      ledger.addGuarded(2)
    }
  }
}
