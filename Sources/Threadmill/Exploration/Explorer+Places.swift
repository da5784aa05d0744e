#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime

  // Where a body did what was not under control.
  extension Explorer {
    /// With names.
    static func places(
      of operations: [PassedOperation]
    ) -> [Exploration.UncontrolledPlace] {
      zip(operations, Session.named(operations.map(\.place))).map { operation, place in
        .init(operation: operation.name, count: operation.count, frames: place.usersFrames)
      }
    }
  }

  extension Backtrace {
    /// Functions of the program's own, with file and line.
    var usersFrames: [String] { users.map(\.words) }

    /// The innermost of them. Of calls that were inlined into each other there, the innermost whose
    /// line is known.
    var usersPlace: String? {
      let here = users.prefix { $0.address == users[0].address }
      return (here.first { $0.line != nil } ?? here.first)?.words
    }

    /// The sanitizer's runtime is linked into the program.
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
