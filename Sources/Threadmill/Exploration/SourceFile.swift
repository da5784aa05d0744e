#if os(Linux)
  import Glibc
  import ThreadmillRuntime

  /// The program's own source files, for what is quoted of them.
  enum SourceFile {
    /// No source is longer.
    private static let largest = 16 << 20

    /// `nil` for what cannot be read, and for what is no ordinary file.
    static func lines(of path: String) -> [String]? {
      Gate.unseen {
        bytes(of: path).map { bytes in
          bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(
              decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
          }
        }
      }
    }

    private static func bytes(of path: String) -> [UInt8]? {
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var facts = stat()
      guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
        facts.st_size <= largest
      else { return nil }
      return [UInt8](unsafeUninitializedCapacity: Int(facts.st_size)) { room, count in
        count = max(0, read(file, room.baseAddress, room.count))
      }
    }
  }
#endif
