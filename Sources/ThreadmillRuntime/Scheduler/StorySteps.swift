#if os(Linux)
  import ThreadmillModel

  extension ScheduleStory.Step {
    /// Whether the step tells something of the program. An access to memory in code of a library,
    /// or to a variable that the compiler has made, does not.
    var isOfProgram: Bool {
      switch operation {
      case .read, .write, .update:
        isForced || note != nil || !places.isEmpty && !(object.map(Self.isCompilers) ?? false)
      default: true
      }
    }

    private static func isCompilers(_ variable: String) -> Bool {
      [
        "demangling cache variable for ", "async function pointer to ", "type metadata for ",
        "full type metadata for ", "protocol witness table for ", "lazy cache variable for ",
        "lazy protocol witness table cache variable for ", "value witness table for ",
      ].contains(where: variable.hasPrefix)
    }
  }

  extension Backtrace {
    private static let xctest = "libXCTest.so"

    /// Whether XCTest makes the step for itself: on the queues of its waiters, or in its watchdog.
    /// A wait for the user's expectations is the user's.
    func isOfXCTest(_ operation: OperationKind) -> Bool {
      guard let frame = first(where: { !$0.isSystem || $0.image == Self.xctest }),
        frame.image == Self.xctest
      else { return false }
      return operation != .wait || places.isEmpty
    }
  }

  extension [ScheduleStory.Step] {
    /// Makes one row of each task that goes on after `Task.yield`.
    ///
    /// - Parameter yields: the numbers of the steps that make tasks go on. Each becomes one that
    ///   says nothing, unless it takes the turn from a strand, and another one goes next.
    func joining(_ yields: Set<Int>) -> Self {
      var steps = self
      for index in steps.indices where yields.contains(steps[index].number) {
        let next = index + 1
        if next < steps.count, steps[next].column == steps[index].column,
          steps[next].number == steps[index].number + 1
        {
          steps[next].isForced = steps[next].isForced || steps[index].isForced
          steps[index].isForced = false
        }
        if !steps[index].isForced { (steps[index].operation, steps[index].object) = (.hop, nil) }
      }
      return steps
    }
  }
#endif
