import Dispatch
import Foundation

/// What a program may plug in where it asserts something about itself.
///
/// The programs here know no checker, and some hazards are only found by one that is asked. So they
/// have hooks, as an application has its `assertOnQueue`; whoever runs them may fill those in.
package struct Probes: Sendable {
  /// Called by an object that belongs to a queue, with its name; returns what the object calls
  /// whenever it is used.
  package var confinement: @Sendable (_ name: String, _ queue: DispatchQueue) -> Assertion = {
    _, _ in {}
  }

  /// Called where a result is wrong, with what is wrong about it; ends the program, unless whoever
  /// runs it wants to run it again.
  package var wrongResult: @Sendable (_ words: String) -> Void = { words in
    FileHandle.standardError.write(Data("\(words)\n".utf8))
    exit(Scenario.wrongResultStatus)
  }

  /// Has an action called at the end of the program.
  package var end: @Sendable (_ action: @escaping () -> Void) -> Void = { action in
    on_exit(
      { _, context in
        guard let context else { return }
        Unmanaged<Ending>.fromOpaque(context).takeRetainedValue().action()
      }, Unmanaged.passRetained(Ending(action)).toOpaque())
  }

  /// Serves the main queue until the work calls what it is given, which ends the program.
  package var serve: @Sendable (_ work: (@escaping @Sendable () -> Void) -> Void) -> Void = {
    work in
    work { exit(0) }
    dispatchMain()
  }

  /// How often somebody looks who goes on after a while in any case: 0 where nothing is to come
  /// after another thing only because that takes its time.
  package var patience = 600

  /// Called again and again by work that only computes; it does not rest unless it has to.
  package var breathe: @Sendable () -> Void = {}

  package typealias Assertion = @Sendable () -> Void

  /// Set once, before the scenario starts; only read after that.
  package nonisolated(unsafe) static var installed = Probes()
}

private final class Ending {
  let action: () -> Void

  init(_ action: @escaping () -> Void) { self.action = action }
}
