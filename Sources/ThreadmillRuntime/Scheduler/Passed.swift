#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel

  /// What an exploration met that was not under its control, at one place.
  package struct PassedOperation: Sendable {
    /// The function that was called, or what was waited for.
    package let name: String
    package let count: Int
    package var place: Backtrace
  }

  extension Session {
    /// The first places of the exploration that was the last one, without names.
    package static var passedOperations: [PassedOperation] {
      final class Room { var operations: [PassedOperation] = [] }
      let room = Room()
      tm_control_passed_each(
        { passed, context in
          guard let passed = passed?.pointee, let context else { return }
          let place = Backtrace(passed.places, count: passed.place_count)
          let room = Unmanaged<Room>.fromOpaque(context).takeUnretainedValue()
          room.operations.append(
            PassedOperation(
              name: String(cString: passed.name), count: Int(passed.count), place: place))
        }, Unmanaged.passUnretained(room).toOpaque())
      return room.operations
    }

    /// The same stacks with their names, as far as the debug information goes.
    package static func named(_ stacks: [Backtrace]) -> [Backtrace] {
      Gate.delivering { current?.symbolicator?.symbolicated(stacks) ?? stacks }
    }
  }
#endif
