/// Lets a limited number of tasks in at a time; the others wait without blocking a thread.
package actor Slots {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init(_ count: Int) { free = count }

  /// Runs `body` as soon as a slot is free.
  package nonisolated func occupy<R: Sendable>(
    _ body: @Sendable () async throws -> R
  ) async rethrows -> R {
    await take()
    do {
      let result = try await body()
      await give()
      return result
    } catch {
      await give()
      throw error
    }
  }

  private func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func give() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
