#if os(Linux)
  import Glibc

  /// The arguments, environment and folder of this process, with which another one can be started.
  struct ProcessStart: Sendable {
    var arguments: [String]
    /// The environment, in the form `NAME=value`.
    var environment: [String]
    /// `nil` if the current folder has no path.
    var folder: String?

    /// Captures how this process was started. Called early, because the program may change its
    /// folder.
    static func capture() -> ProcessStart {
      ProcessStart(
        arguments: list("cmdline"), environment: list("environ"), folder: currentFolder())
    }

    /// Returns the arguments (`cmdline`) or the environment (`environ`) as the kernel has them.
    /// `CommandLine` must not be used before `main`, and a program may change its environment.
    static func list(_ name: String, of process: String = "self") -> [String] {
      let file = open("/proc/\(process)/\(name)", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return [] }
      defer { close(file) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
      if bytes.last == 0 { bytes.removeLast() }
      return bytes.split(separator: 0, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the absolute path.
    static func absolute(_ path: String) -> String {
      path.hasPrefix("/") ? path : (currentFolder().map { $0 + "/" } ?? "") + path
    }

    static func currentFolder() -> String? {
      guard let folder = getcwd(nil, 0) else { return nil }
      defer { free(folder) }
      return String(cString: folder)
    }
  }
#endif
