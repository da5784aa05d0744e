import Dispatch
import Foundation

/// Lets asynchronous work end in order when the process is asked to end.
enum Interruption {
  private static let signals = [SIGHUP, SIGINT, SIGTERM]

  /// Runs `body` to its end and blocks the caller's thread meanwhile.
  ///
  /// A signal that asks the process to end cancels `body`; once that has ended, the process dies of
  /// the signal. Child processes in sessions of their own would not notice it, and stay.
  static func heeding<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = Outcome<Value>()
    let ended = DispatchSemaphore(value: 0)
    let task = Task {
      do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
      ended.signal()
    }
    let received = Outcome<Int32>()
    let sources = signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        received.set(.success(number))
        task.cancel()
      }
      source.resume()
      return source
    }
    ended.wait()
    for source in sources { source.cancel() }
    for number in signals { signal(number, SIG_DFL) }
    if let number = try received.value?.get() { raise(number) }
    guard let result = outcome.value else { throw CancellationError() }
    return try result.get()
  }

  /// A result that one thread hands to another; the first one counts.
  private final class Outcome<Value: Sendable>: Sendable {
    private let lock = NSLock()
    // Guarded by the lock.
    private nonisolated(unsafe) var result: Result<Value, any Error>?

    var value: Result<Value, any Error>? { lock.withLock { result } }

    func set(_ new: Result<Value, any Error>) { lock.withLock { result = result ?? new } }
  }
}
