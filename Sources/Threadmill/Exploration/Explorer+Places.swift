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
    /// Functions of the program's own, with file and line; the sanitizer's runtime is linked into
    /// it.
    var usersFrames: [String] {
      let users = filter { frame in
        let file = frame.file?.split(separator: "/").last ?? ""
        return !frame.isSystem && !file.hasPrefix("tsan_") && !file.hasPrefix("sanitizer_")
      }
      return users.map { frame in
        let function = frame.function ?? frame.image ?? "?"
        guard let file = frame.file, let line = frame.line else { return function }
        return "\(function) (\(file.split(separator: "/").last ?? ""):\(line))"
      }
    }
  }
#endif
