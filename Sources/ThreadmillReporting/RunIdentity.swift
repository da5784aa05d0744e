#if canImport(Glibc)
  import Glibc
#endif

/// Tells the processes of one run from those of another: the run is whoever started them all.
package enum RunIdentity {
  /// The environment variable by which a watched process hands its run down to its children.
  package static let variable = "THREADMILL_RUN"
  /// The process whose children make up one run, where it is among the ancestors.
  static let runner = "swift-test"
  /// How many ancestors are looked at.
  static let deepest = 64

  #if canImport(Glibc)
    /// Process identifier and start time of the nearest `swift test` above this process, or else of
    /// its parent.
    ///
    /// The same for every process that one `swift test` starts, children of tests included. Without
    /// `swift test`, what one shell starts is one run. Reads `/proc`; where there is none, the
    /// parent's identifier alone has to do. Ask early: a process whose parent has died has another
    /// one.
    package static var current: String {
      identity(parent: getppid()) { process in contents(of: "/proc/\(process)/stat") }
    }

    private static func contents(of path: String) -> [UInt8]? {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(file, &bytes, bytes.count)
      return count > 0 ? Array(bytes[..<count]) : nil
    }
  #endif

  /// The same over given contents of `/proc/<process>/stat`.
  package static func identity(parent: Int32, stat: (Int32) -> [UInt8]?) -> String {
    var found: ProcessStatus?
    var process = parent
    for _ in 0..<deepest {
      guard process > 0, let status = stat(process).flatMap(ProcessStatus.init) else { break }
      if status.name == runner {
        found = status
        break
      }
      if process == parent { found = status }
      process = status.parent
    }
    guard let found else { return "\(parent)" }
    return "\(found.process)-\(found.start)"
  }
}

/// What `/proc/<process>/stat` says about one process (proc(5)).
package struct ProcessStatus: Hashable {
  package var process: Int32
  /// At most 15 bytes of the program's name.
  package var name: String
  package var parent: Int32
  /// Clock ticks since the machine started.
  package var start: UInt64

  /// `nil` when this is not such a line. The name stands between the first and the last
  /// parenthesis, and may itself contain parentheses, spaces and line breaks.
  package init?(_ bytes: [UInt8]) {
    guard let open = bytes.firstIndex(of: UInt8(ascii: "(")),
      let close = bytes.lastIndex(of: UInt8(ascii: ")")), open < close
    else { return nil }
    let fields = bytes[(close + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    // What follows the name is field 3 of the manual: state, parent (4), …, start time (22).
    guard fields.count > 19,
      let process = Int32(Self.text(bytes[..<open]).filter { $0 != " " }),
      let parent = Int32(Self.text(fields[1])), let start = UInt64(Self.text(fields[19]))
    else { return nil }
    self.process = process
    self.name = Self.text(bytes[(open + 1)..<close])
    self.parent = parent
    self.start = start
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
