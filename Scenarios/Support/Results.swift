import Foundation

/// Ends the program with ``Scenario/wrongResultStatus`` unless the result is what it must be.
func demand<Value: Equatable>(_ result: Value, equals expected: Value) {
  guard result != expected else { return }
  FileHandle.standardError.write(Data("\(result) instead of \(expected)\n".utf8))
  exit(Scenario.wrongResultStatus)
}
