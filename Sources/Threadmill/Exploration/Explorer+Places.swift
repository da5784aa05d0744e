#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime

  // The places where a body did operations that the Scheduler does not control.
  extension Explorer {
    /// Returns the place of each operation, with the names of its functions.
    static func places(
      of operations: [PassedOperation]
    ) -> [Exploration.UncontrolledPlace] {
      zip(operations, Session.named(operations.map(\.place))).map { operation, place in
        .init(operation: operation.name, count: operation.count, frames: place.usersFrames)
      }
    }
  }

  extension Backtrace {
    /// The frames of the program's own functions, each with file and line if they are known.
    var usersFrames: [String] { users.map(\.words) }

    /// The innermost of these frames. If calls were inlined into each other there, the innermost
    /// one whose line is known.
    var usersPlace: String? {
      let here = users.prefix { $0.address == users[0].address }
      return (here.first { $0.line != nil } ?? here.first)?.words
    }

    /// The frames outside of system code and of the sanitizer's runtime, which is linked into the
    /// program.
    private var users: [Frame] {
      filter { frame in
        let file = frame.file?.split(separator: "/").last ?? ""
        return !frame.isSystem && !file.hasPrefix("tsan_") && !file.hasPrefix("sanitizer_")
      }
    }
  }

  extension Frame {
    fileprivate var words: String {
      let function = function ?? image ?? "?"
      guard let file, let line else { return function }
      return "\(function) (\(file.split(separator: "/").last ?? ""):\(line))"
    }
  }
#endif
