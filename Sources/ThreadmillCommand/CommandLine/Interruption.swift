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
    let heeded = signals.filter { !isIgnored($0) }
    let before = block(heeded)
    let sources = heeded.map { number in
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
    restore(before)
    if let number = try received.value?.get() { die(of: number) }
    guard let result = outcome.value else { throw CancellationError() }
    return try result.get()
  }

  /// Blocks the signals in the caller's thread, and in threads that it starts from now on; returns
  /// the mask of before. A blocked signal waits for the source that reads it, while an ignored one
  /// never gets there.
  private static func block(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    var before = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, &before)
    return before
  }

  private static func restore(_ mask: sigset_t) {
    var mask = mask
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  /// Whether the process was started to outlive this signal, as `nohup` does it.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return action.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } == 1
  }

  /// Ends the process by the signal, even if the caller's thread was started with it blocked.
  private static func die(of number: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    signal(number, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
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
