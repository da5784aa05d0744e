#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillRuntime

  /// The room for one copy of this process at a time: the memory that the two share, what the copy
  /// says, its folder for temporary files, and its end.
  ///
  /// Used by the process that explores; it has one thread.
  final class ProgramCopy {
    let region: ProgramRegion
    let output: ProgramOutput
    private let scratch: ProgramScratch?
    /// The processor of the copy, by its number among those that this process may use; `nil` for
    /// the one on which it begins.
    private let processor: Int?
    /// The copy that runs; `nil` for none.
    private var process: Int32?

    /// The way in which a process ended.
    enum End {
      case exited(Int32)
      case killed(by: Int32)
      /// It was ended here, after so many seconds.
      case late(seconds: Int)
    }

    /// `nil` if the system has no memory for it.
    init?(scratch: ProgramScratch?, processor: Int?) {
      guard let region = ProgramRegion(), let output = ProgramOutput() else { return nil }
      (self.region, self.output, self.scratch) = (region, output, scratch)
      self.processor = processor
    }

    /// Gives its memory back, once and for all.
    func release() {
      region.release()
      output.release()
    }

    /// Makes a copy of this process, in which the program runs.
    ///
    /// - Parameter isCaught: whether what it says is shown to nobody.
    /// - Throws: an ``ExplorationError`` if the system starts no process.
    func start(saying isCaught: Bool, _ begin: () -> Void) throws {
      region.clear()
      output.clear()
      scratch?.make()
      let started = Gate.copyProcess()
      if started == 0 {
        setpgid(0, 0)
        ProgramOutput.giveInput()
        scratch?.give()
        if isCaught {
          output.take()
          Outlet.shared?.fallSilent()
        }
        if let processor { Gate.prefer(processor: processor) }
        begin()
        Gate.runProgram()
      }
      guard started > 0 else { throw ExplorationError.noThread }
      process = started
    }

    /// Waits for the end of the copy, which is ended after so many seconds.
    func end(within limit: Int) -> End {
      guard let process else { return .exited(0) }
      let (status, isLate) = Gate.awaitEnd(of: process, seconds: limit)
      // Its own processes and files would disturb the next one.
      kill(-process, SIGKILL)
      scratch?.clear()
      self.process = nil
      if isLate { return .late(seconds: limit) }
      let number = status & 0x7F
      return number == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: number)
    }
  }

  /// The folder for the temporary files of one process after the other, each of which finds it
  /// empty.
  struct ProgramScratch {
    private static let variable = "TMPDIR"
    let path: String

    /// Makes the folder, if it is not there.
    func make() { mkdir(path, 0o700) }

    /// In the process of a schedule.
    func give() { setenv(Self.variable, path, 1) }

    /// Removes the folder with all that is in it.
    func clear() { Self.remove(path) }

    private static func remove(_ path: String) {
      if rmdir(path) == 0 || unlink(path) == 0 { return }
      guard let folder = opendir(path) else { return }
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
        }
        if name != "." && name != ".." { remove("\(path)/\(name)") }
      }
      closedir(folder)
      rmdir(path)
    }
  }

  /// The output of the program in the processes of schedules, which nobody reads as it comes.
  struct ProgramOutput {
    private let file: Int32
    private static let mostRead = 1 << 16

    init?() {
      file = Gate.makeFile()
      guard file >= 0 else { return nil }
      _ = fcntl(file, F_SETFL, O_APPEND)
    }

    func clear() { ftruncate(file, 0) }
    func release() { close(file) }

    /// In the process of a schedule.
    func take() {
      dup2(file, STDOUT_FILENO)
      dup2(file, STDERR_FILENO)
    }

    /// A program that reads a file on its standard input reads all of it in each schedule; another
    /// one finds it empty.
    static func giveInput() {
      var status = stat()
      let isFile = fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      let input = open(isFile ? "/proc/self/fd/0" : "/dev/null", O_RDONLY)
      guard input >= 0 else { return }
      dup2(input, STDIN_FILENO)
      if input != STDIN_FILENO { close(input) }
    }

    /// The words about an error, or else the last line.
    var lastWords: String? { text.flatMap(LastWords.findAny) }

    /// The last 64 KiB of it; `nil` if there is none.
    var text: String? {
      let length = Int(lseek(file, 0, SEEK_END))
      var bytes = [UInt8](repeating: 0, count: min(max(length, 0), Self.mostRead))
      let count = pread(file, &bytes, bytes.count, off_t(length - bytes.count))
      guard count > 0 else { return nil }
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }
#endif
