import Foundation

/// The nails of a shed: who looks and then takes may get the nail of another one.
public final class NailBox: Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private nonisolated(unsafe) var nails: [Int] = []

  public init() {}

  public func add(_ nail: Int) { lock.withLock { nails.append(nail) } }

  /// In two steps.
  public func takeInSteps() -> Int? {
    guard let last = lock.withLock({ nails.last }) else { return nil }
    _ = lock.withLock { nails.popLast() }
    return last
  }

  public func take() -> Int? { lock.withLock { nails.popLast() } }
}
