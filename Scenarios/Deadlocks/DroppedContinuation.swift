import Foundation

extension Scenario {
  /// A lookup gives up early for an empty name, and never resumes its continuation.
  ///
  /// **What people write.** A callback interface is wrapped into an asynchronous function. A guard
  /// at its top returns for a name that cannot be looked up.
  ///
  /// **Why it breaks.** Only `resume` lets the task go on. On the path of the guard nobody calls
  /// it, and the continuation is freed.
  ///
  /// **How it shows.** The task is suspended for ever, and so is whoever awaits it. No thread is
  /// blocked, so no stack shows anything.
  ///
  /// **Repair.** Resume on every path, also where there is nothing to say.
  static let droppedContinuation = Scenario(
    id: "dropped-continuation", fault: .deadlocks,
    summary: "A continuation is not resumed on one path.",
    expectations: [
      .flawed: .init(
        .hangs, observe: .finds("continuationMisuse", allowing: "hang"),
        explore: .finds("continuationMisuse", allowing: "hang")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      lookUp { name, continuation in
        guard !name.isEmpty else { return }
        find(name) { continuation.resume(returning: $0) }
      }
    },
    repaired: {
      lookUp { name, continuation in
        guard !name.isEmpty else { return continuation.resume(returning: nil) }
        find(name) { continuation.resume(returning: $0) }
      }
    })
}

private typealias Answer = CheckedContinuation<String?, Never>

private func lookUp(_ wrapped: @escaping @Sendable (String, Answer) -> Void) {
  let done = DispatchGroup()
  for name in ["localhost", ""] {
    done.enter()
    Task.detached {
      _ = await withCheckedContinuation { wrapped(name, $0) }
      done.leave()
    }
  }
  done.wait()
}

private func find(_ name: String, _ completion: @escaping @Sendable (String?) -> Void) {
  DispatchQueue.global().async { completion("address of \(name)") }
}
