import Foundation

/// Two accounts, each with a lock of its own.
///
/// `@unchecked`: who changes the accounts holds both locks, and who reads them one.
public final class Bank: @unchecked Sendable {
  private let locks = [NSLock(), NSLock()]
  private var accounts = [100, 100]

  public init() {}

  /// Takes the lock of the first account before that of the second: two transfers in opposite
  /// directions may wait for each other.
  public func transfer(_ amount: Int, from: Int, to: Int) {
    locks[from].withLock {
      locks[to].withLock {
        accounts[from] -= amount
        accounts[to] += amount
      }
    }
  }

  public var total: Int { locks[0].withLock { accounts.reduce(0, +) } }
}
