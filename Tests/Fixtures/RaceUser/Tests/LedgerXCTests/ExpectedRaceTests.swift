import Ledger
import ThreadmillXCTest
import XCTest

// Tests that say that they race.

final class ExpectedRaceTests: XCTestCase {
  func testExpectedToRace() {
    let ledger = Ledger()
    expectFinding(.dataRace) {
      together {
        ledger.addUnguarded(1)
      } _: {
        ledger.addUnguarded(2)
      }
    }
  }
}
