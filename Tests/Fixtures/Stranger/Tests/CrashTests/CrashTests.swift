import Dispatch
import Foundation
import Testing
import XCTest

/// Cashiers lose one of two payments only where the environment asks for it.
private let isCareless = ProcessInfo.processInfo.environment["TILL_IS_CARELESS"] != nil

/// Takes its time: threads that ask for it at once wait for each other.
private let firstReceipt: Int = {
  usleep(2_000)
  return 8
}()

private final class Till: @unchecked Sendable {
  private let lock = NSLock()
  private var payments = 0

  var count: Int { lock.withLock { payments } }

  func pay() {
    guard isCareless else { return lock.withLock { payments += 1 } }
    let seen = count
    lock.withLock { payments = seen + 1 }
  }

  /// Two cashiers at once.
  static func afterTwoPayments() -> Int {
    let till = Till()
    DispatchQueue.concurrentPerform(iterations: 2) { _ in till.pay() }
    return till.count
  }
}

/// Tests that end their process in one order of two payments.
struct CrashTests {
  @Test func asserts() {
    let count = Till.afterTwoPayments()
    precondition(count == 2, "a payment is lost: \(count)")
  }

  @Test func assertsInATask() async {
    let till = Till()
    async let one: Void = till.pay()
    async let two: Void = till.pay()
    _ = await (one, two)
    precondition(till.count == 2, "a payment is lost")
  }

  @Test func writesNowhere() {
    let receipt = UnsafeMutablePointer<Int>(bitPattern: Till.afterTwoPayments() == 2 ? 0 : 8)
    receipt?.pointee = 1
  }

  /// The second case alone can fail.
  @Test(arguments: [1, 2]) func assertsForTwo(_ cashiers: Int) {
    let count = cashiers == 1 ? 2 : Till.afterTwoPayments()
    precondition(count == 2, "a payment is lost")
  }

  /// What is beside the receipt belongs to the allocator.
  @Test func overwritesTheHeap() {
    guard Till.afterTwoPayments() != 2 else { return }
    for _ in 0..<64 {
      let receipt = UnsafeMutablePointer<UInt8>.allocate(capacity: 32)
      for offset in -16..<4_096 { receipt[offset] = 0xAB }
      receipt.deallocate()
    }
    abort()
  }
}

final class OldCrashTests: XCTestCase {
  override class func setUp() {
    DispatchQueue.concurrentPerform(iterations: 2) { _ in _ = firstReceipt }
  }

  func testAsserts() {
    let count = Till.afterTwoPayments()
    precondition(count == 2, "a payment is lost: \(count)")
  }

  func testAssertsInATask() async {
    let till = Till()
    async let one: Void = till.pay()
    async let two: Void = till.pay()
    _ = await (one, two)
    precondition(till.count == 2, "a payment is lost")
  }
}
