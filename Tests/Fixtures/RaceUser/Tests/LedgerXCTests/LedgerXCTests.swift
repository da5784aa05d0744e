import Ledger
import XCTest

// No line in this target knows of Threadmill: the dependency in Package.swift is all there is.

final class LedgerXCTests: XCTestCase {
  func testRacyOnThreads() {
    let ledger = Ledger()
    together {
      ledger.addUnguarded(1)
    } _: {
      ledger.addUnguarded(2)
    }
  }

  func testRacyInCodeUnderTest() { closeTheBooks() }

  func testRacyInCodeUnderTestToo() { closeTheBooks() }

  func testCorrectUnderOneLock() {
    let ledger = Ledger()
    for _ in 0..<20 {
      together {
        ledger.addGuarded(1)
      } _: {
        ledger.addGuarded(2)
      }
    }
  }
}
