import Foundation

/// Runs what it is given, protected; perhaps later and elsewhere.
typealias Section = @Sendable (@escaping @Sendable () -> Void) -> Void

/// The shapes that most patterns have.
extension Pattern {
  /// Two threads enter the same section, each so many times, from one start.
  static func exclusive(
    _ id: String, _ uses: String, times: Int = 5, _ make: @escaping @Sendable () -> Section
  ) -> Pattern {
    .threads(id, uses, Variant.allCases) { trial in
      let section = make()
      let start = Flag()
      let repeats = trial.isCorrect ? times : 1
      let write: @Sendable () -> Void = {
        trial.write()
        trial.end()
      }
      trial.onTwoThreads { _, isProtected in
        start.raise()
        start.wait(for: 2)
        let enter = isProtected ? section : { $0() }
        for _ in 0..<repeats { enter(write) }
      }
      trial.wait(for: 2 * repeats)
    }
  }

  /// One thread gives what another takes. Half: it gives too early. Removed: nobody takes.
  static func handOver(
    _ id: String, _ uses: String,
    _ make: @escaping @Sendable () -> (give: @Sendable () -> Void, take: @Sendable () -> Void)
  ) -> Pattern {
    .threads(id, uses, Variant.allCases) { trial in
      let (give, take) = make()
      Thread.detachNewThread {
        if trial.variant == .half { give() }
        trial.write()
        if trial.variant != .half { give() }
        trial.end()
      }
      Thread.detachNewThread {
        if trial.variant != .removed { take() }
        trial.write()
        if trial.variant == .removed { take() }
        trial.end()
      }
      trial.wait(for: 2)
    }
  }

  /// What is written before work is submitted, the work may read. Half: it is written afterwards.
  static func submission(
    _ id: String, _ uses: String,
    _ submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> Pattern {
    .threads(id, uses) { trial in
      Thread.detachNewThread {
        if trial.isCorrect { trial.write() }
        submit {
          trial.write()
          trial.end()
        }
        if !trial.isCorrect { trial.write() }
        trial.end()
      }
      trial.wait(for: 2)
    }
  }

  /// What work wrote may be read by who has waited for its end. Half: by who has not yet.
  static func completion(
    _ id: String, _ uses: String,
    _ start: @escaping @Sendable (@escaping @Sendable () -> Void) -> () -> Void
  ) -> Pattern {
    .threads(id, uses) { trial in
      Thread.detachNewThread {
        let wait = start { trial.write() }
        if trial.isCorrect { wait() }
        trial.write()
        if !trial.isCorrect { wait() }
        trial.end()
      }
      trial.wait()
    }
  }

  /// What comes before `then` may be read in it: first work, then what follows it. Half: the second
  /// does not wait for the first.
  static func sequence(
    _ id: String, _ uses: String,
    _ run:
      @escaping @Sendable (
        _ first: @escaping @Sendable () -> Void, _ then: @escaping @Sendable () -> Void,
        _ ordered: Bool
      ) -> Void
  ) -> Pattern {
    .threads(id, uses) { trial in
      run(
        {
          trial.write()
          trial.end()
        },
        {
          trial.write()
          trial.end()
        }, trial.isCorrect)
      trial.wait(for: 2)
    }
  }
}
