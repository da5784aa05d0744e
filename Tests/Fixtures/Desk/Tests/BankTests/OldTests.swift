import Bank
import XCTest

final class OldTests: XCTestCase {
  func testTransfer() {
    let bank = Bank()
    bank.transfer(10, from: 0, to: 1)
    XCTAssertEqual(bank.total, 200)
  }
}
