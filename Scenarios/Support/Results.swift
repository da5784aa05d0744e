import Foundation

/// Ends the program with ``Scenario/wrongResultStatus`` unless the result is what it must be.
func demand<Value: Equatable>(_ result: Value, equals expected: Value) {
  guard result != expected else { return }
  Probes.installed.wrongResult("\(result) instead of \(expected)")
}

/// Has `action` called at the end of the program, whichever way it ends.
func atTheEnd(_ action: @escaping () -> Void) { Probes.installed.end(action) }

/// Has the main thread do what comes to the main queue, until `work` calls what it is given: that
/// ends the program.
///
/// To be called last of all: as a rule it does not return.
func servingTheMainQueue(_ work: (_ done: @escaping @Sendable () -> Void) -> Void) {
  Probes.installed.serve(work)
}

/// Keeps a processor busy until `isEnough`.
func compute(until isEnough: () -> Bool) {
  while !isEnough() { Probes.installed.breathe() }
}
