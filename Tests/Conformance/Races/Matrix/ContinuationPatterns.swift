import Dispatch
import Foundation

/// Every kind of continuation, resumed in every way.
let continuationPatterns: [Pattern] = Kind.allCases.flatMap { kind in
  Resumer.allCases.map { pattern(kind, $0) }
}

private func pattern(_ kind: Kind, _ resumer: Resumer) -> Pattern {
  .tasks("\(kind.rawValue)-\(resumer.rawValue)", "\(kind.call), \(resumer.words)") { trial in
    let isCorrect = trial.isCorrect
    await kind.suspend { resume in
      resumer.run {
        if isCorrect {
          trial.write()
          resume()
        } else {
          resume()
          trial.write()
        }
        trial.end()
      }
    }
    trial.write()
    trial.wait()
  }.needing(resumer == .early ? .gate : .nothing)
}

private enum Kind: String, CaseIterable {
  case checked, unsafe
  case checkedThrowing = "checked-throwing"
  case unsafeThrowing = "unsafe-throwing"
  case checkedError = "checked-error"

  var call: String {
    switch self {
    case .checked: "withCheckedContinuation"
    case .unsafe: "withUnsafeContinuation"
    case .checkedThrowing: "withCheckedThrowingContinuation"
    case .unsafeThrowing: "withUnsafeThrowingContinuation"
    case .checkedError: "withCheckedThrowingContinuation, resume(throwing:)"
    }
  }

  /// Hands `start` the means to resume, and returns when that was used.
  func suspend(_ start: (@escaping @Sendable () -> Void) -> Void) async {
    switch self {
    case .checked:
      await withCheckedContinuation { (given: CheckedContinuation<Void, Never>) in
        start { given.resume() }
      }
    case .unsafe:
      await withUnsafeContinuation { (given: UnsafeContinuation<Void, Never>) in
        start { given.resume() }
      }
    case .checkedThrowing:
      _ = try? await withCheckedThrowingContinuation {
        (given: CheckedContinuation<Int, any Error>) in
        start { given.resume(returning: 1) }
      }
    case .unsafeThrowing:
      _ = try? await withUnsafeThrowingContinuation { (given: UnsafeContinuation<Int, any Error>) in
        start { given.resume(returning: 1) }
      }
    case .checkedError:
      _ = try? await withCheckedThrowingContinuation {
        (given: CheckedContinuation<Int, any Error>) in
        start { given.resume(throwing: CancellationError()) }
      }
    }
  }
}

private enum Resumer: String, CaseIterable {
  case queue, thread, task, early

  var words: String {
    self == .early ? "resumed before the await" : "resumed from a \(rawValue)"
  }

  func run(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .queue: DispatchQueue.global().async(execute: body)
    case .thread: Thread.detachNewThread(body)
    case .task: Task { body() }
    case .early:
      // Goes on when the other has resumed: at its end, or in the midst of a broken one.
      let resumed = Flag()
      Thread.detachNewThread {
        body()
        resumed.raise()
      }
      resumed.wait(seconds: 0.02)
    }
  }
}
