#if canImport(Glibc)
  import Glibc

  /// An open folder and the name of one file in it; every step goes through the descriptor, so that
  /// a change of the current folder, or of the path, in between does no harm.
  struct ReportFolder: ~Copyable {
    private let descriptor: Int32
    private let name: String
    /// As the user wrote it, for errors.
    private let path: String

    init(of path: String) throws(ReportFileError) {
      // Everything that can fail comes before the fields: a value that half exists cannot be
      // undone.
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let folder = slash.map { String(path[...$0]) } ?? "."
      let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
      if name.isEmpty || name == "." || name == ".." { throw .notRegular(path: path) }
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      let descriptor = Self.retried { open(folder, flags) }
      if descriptor < 0 { throw .failed(doing: "opening its folder", path: path, errno: errno) }
      self.descriptor = descriptor
      self.name = name
      self.path = path
    }

    deinit { close(descriptor) }

    /// Asks again and again, since `flock` has no time limit: a whole `swift test` may run under a
    /// lock on this folder.
    func lock(patience: Int) throws(ReportFileError) {
      let start = Self.milliseconds
      var pause: Int32 = 1
      while Self.retried({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0 {
        if errno != EWOULDBLOCK { throw failure("locking its folder") }
        if Self.milliseconds - start >= patience {
          throw .busy(path: path, milliseconds: patience)
        }
        poll(nil, 0, pause)
        pause = min(pause * 2, 50)
      }
    }

    /// Explicit, because a child that was forked meanwhile keeps the lock through its copy of the
    /// descriptor.
    func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// The size of the file, or `nil` when there is none.
    func sizeOfFile() throws(ReportFileError) -> Int? {
      var status = stat()
      if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) != 0 {
        if errno == ENOENT { return nil }
        throw failure("looking at the file")
      }
      guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
      return Int(status.st_size)
    }

    /// The whole file, or `nil` when there is none.
    func readFile() throws(ReportFileError) -> [UInt8]? {
      guard let size = try sizeOfFile() else { return nil }
      if size > ReportFile.largest { throw .tooLarge(path: path, bytes: size) }
      let file = try openFile(name, O_RDONLY | O_NOFOLLOW, doing: "opening the file")
      defer { close(file) }
      var bytes: [UInt8] = []
      // One more shows that nothing was added meanwhile.
      bytes.reserveCapacity(size + 1)
      var chunk = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = Self.retried { read(file, &chunk, chunk.count) }
        if count < 0 { throw failure("reading the file") }
        if count == 0 { return bytes }
        bytes.append(contentsOf: chunk[..<count])
        if bytes.count > ReportFile.largest { throw .tooLarge(path: path, bytes: bytes.count) }
      }
    }

    /// Writes a new file next to the old one, has it stored, and gives it the name.
    func replaceFile(with bytes: [UInt8]) throws(ReportFileError) {
      // The kernel's generator makes clashes a matter of 2^-64, so one that happens is an error
      // like any other.
      let suffix = String(UInt64.random(in: 0 ... .max), radix: 16)
      let temporary = ".threadmill-\(getpid())-\(suffix).tmp"
      let file = try openFile(
        temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, doing: "making a file in its folder")
      do throws(ReportFileError) {
        try store(bytes, in: file)
        if renameat(descriptor, temporary, descriptor, name) != 0 { throw failure("renaming") }
      } catch {
        unlinkat(descriptor, temporary, 0)
        throw error
      }
    }

    /// Closes the file in any case.
    private func store(_ bytes: [UInt8], in file: Int32) throws(ReportFileError) {
      defer { close(file) }
      let error = UnsignalledWrite.write(bytes, to: file)
      if error != 0 { throw .failed(doing: "writing", path: path, errno: error) }
      if Self.retried({ fsync(file) }) != 0 { throw failure("storing") }
    }

    private func openFile(
      _ name: String, _ flags: Int32, doing: String
    ) throws(ReportFileError) -> Int32 {
      let file = Self.retried { openat(descriptor, name, flags | O_CLOEXEC, 0o666) }
      if file < 0 { throw failure(doing) }
      return file
    }

    /// The error of the system call that has just failed.
    private func failure(_ doing: String) -> ReportFileError {
      .failed(doing: doing, path: path, errno: errno)
    }

    /// Calls again as long as a signal interrupts.
    private static func retried<Result: SignedInteger>(_ call: () -> Result) -> Result {
      while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
      }
    }

    private static var milliseconds: Int {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
    }
  }
#endif
