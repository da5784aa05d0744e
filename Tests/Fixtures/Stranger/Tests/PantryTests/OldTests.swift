import Foundation
import Pantry
import XCTest

final class OldTests: XCTestCase {
  func testMovesDown() {
    let pantry = Pantry()
    pantry.moveDown()
    XCTAssertEqual(pantry.total, 0)
  }
}
