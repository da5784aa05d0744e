import Foundation

/// Lets asynchronous work end in order when the process is asked to end.
enum Interruption {
  private static let signals = [SIGHUP, SIGINT, SIGTERM]
  /// Wakes the waiting thread when the work is over. It is ignored by default: one too many does
  /// no harm.
  private static let over = SIGURG

  /// Runs `body` to its end and blocks the caller's thread meanwhile.
  ///
  /// A signal that asks the process to end cancels `body`; once that has ended, and `interrupted`
  /// has told what it came to by then, the process dies of the signal. Child processes in sessions
  /// of their own would not notice it, and stay.
  ///
  /// The signals are blocked meanwhile, here and in threads that are started from here, and the
  /// caller's thread fetches them: one that is ignored and not blocked could not be fetched.
  static func heeding<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value,
    interrupted: (Value) -> Void = { _ in }
  ) throws -> Value {
    let heeded = signals.filter { $0 != SIGHUP || !isIgnored($0) }
    var awaited = set(of: heeded + [over])
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &awaited, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let outcome = Outcome<Value>()
    let waiter = pthread_self()
    let task = Task {
      do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
      pthread_kill(waiter, over)
    }
    var received: Int32?
    while true {
      let number = sigwaitinfo(&awaited, nil)
      if heeded.contains(number) {
        received = received ?? number
        task.cancel()
      }
      if number == over, outcome.value != nil { break }
    }
    if let received {
      if case .success(let value)? = outcome.value { interrupted(value) }
      die(of: received)
    }
    guard let result = outcome.value else { throw CancellationError() }
    return try result.get()
  }

  private static func set(of numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }

  /// Whether the process was started to outlive this signal, as `nohup` does it with SIGHUP. SIGINT
  /// says nothing: a shell without a terminal starts every job with it ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return action.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } == 1
  }

  /// Ends the process by the signal, even if the caller's thread was started with it blocked.
  private static func die(of number: Int32) {
    var own = set(of: [number])
    signal(number, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &own, nil)
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
