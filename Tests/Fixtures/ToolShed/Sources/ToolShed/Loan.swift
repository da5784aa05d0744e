import Dispatch

/// A tool that somebody has borrowed, and that nobody ever brings back.
public final class Loan: Sendable {
  private let isReturned = DispatchSemaphore(value: 0)

  public init() {}

  public func waitForReturn() {
    isReturned.wait()
  }

  /// Asks the borrower, who never answers.
  public func answer() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}
