#if canImport(Glibc)
  import Glibc
  import ThreadmillModel

  /// The report of a run as a JSON file that is complete or absent, whoever dies when.
  ///
  /// Safe from any thread of the user's process, at exit too: no state of its own, no output, no
  /// change to the current folder, the umask or the environment. Not safe in a signal handler: it
  /// allocates. A process that is killed in the middle may leave a `.threadmill-….tmp` next to the
  /// file.
  package enum ReportFile {
    /// A file longer than this is not read: no report comes near it.
    package static let largest = 256 << 20
    /// How long `merge` waits for other processes before it gives up, in milliseconds.
    package static let patience = 10_000

    /// Replaces the file, or makes it; its folder has to exist.
    ///
    /// Whatever stood there is untouched when this throws. Refuses to replace what is not a regular
    /// file.
    package static func write(_ report: Report, to path: String) throws(ReportFileError) {
      try replace(path, with: JSONReport.bytes(of: report))
    }

    /// The same for a report in any format.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(ReportFileError) {
      let folder = try ReportFolder(of: path)
      _ = try folder.sizeOfFile()
      try folder.replaceFile(with: bytes)
    }

    /// The bytes of any small file; `nil` if there is none.
    package static func bytes(of path: String) throws(ReportFileError) -> [UInt8]? {
      try ReportFolder(of: path).readFile()
    }

    /// The report that stands there; `nil` if there is none.
    package static func read(_ path: String) -> Report? {
      let bytes = try? ReportFolder(of: path).readFile()
      return bytes.flatMap { try? JSONReport.report(from: $0) }
    }

    /// Adds one process's report to the file of its run; call it once for each process.
    ///
    /// A file of the same run (`run.id`) is merged with, a report of another run or of another
    /// version and an empty file are replaced. Anything else is not Threadmill's and stays: a
    /// mistyped path must not cost a source file, and a half-written report cannot come from here.
    /// Processes take turns by a lock on the folder, which dies with its holder and leaves nothing
    /// behind.
    package static func merge(
      into path: String, _ report: Report, patience: Int = patience
    ) throws(ReportFileError) {
      let folder = try ReportFolder(of: path)
      try folder.lock(patience: patience)
      defer { folder.unlock() }
      let earlier = try folder.readFile().flatMap { bytes throws(ReportFileError) in
        try Self.report(in: bytes, at: path)
      }
      var whole = Report(findings: [], run: report.run)
      whole.run.processes = 0
      if let earlier, earlier.run.id == report.run.id { whole = earlier }
      try folder.replaceFile(with: JSONReport.bytes(of: whole.merged(with: report)))
    }

    /// The report that stands in the file; `nil` for what may be replaced without reading it.
    private static func report(
      in bytes: [UInt8], at path: String
    ) throws(ReportFileError) -> Report? {
      if bytes.isEmpty { return nil }
      do {
        return try JSONReport.report(from: bytes)
      } catch .version {
        return nil
      } catch {
        throw .foreign(path: path, reason: error)
      }
    }
  }

  /// Why a report could not be written; the findings have to go elsewhere.
  package enum ReportFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A system call failed.
    case failed(doing: String, path: String, errno: Int32)
    /// A folder, a device, a pipe or a symbolic link stands there.
    case notRegular(path: String)
    /// The file is no report of Threadmill's and was left alone.
    case foreign(path: String, reason: ReportFormatError)
    case tooLarge(path: String, bytes: Int)
    /// The file cannot be written, and the tool's mailbox has no room.
    case mailboxIsFull(path: String)
    /// Another process held the lock on the folder all the time.
    case busy(path: String, milliseconds: Int)

    package var description: String {
      switch self {
      case .failed(let doing, let path, let number):
        // glibc's strerror keeps its text per thread.
        let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return "cannot write report \(path.printable): \(text) (\(doing))"
      case .notRegular(let path):
        return "cannot write report \(path.printable): it exists and is not a regular file"
      case .foreign(let path, let reason):
        return "will not replace \(path.printable), which is not a report: \(reason)"
      case .tooLarge(let path, let bytes):
        return "will not replace \(path.printable), which is not a report: \(bytes) bytes long"
      case .mailboxIsFull(let path):
        return "cannot write report \(path.printable), and there is no room for it elsewhere"
      case .busy(let path, let milliseconds):
        return
          "cannot write report \(path.printable): its folder stayed locked for \(milliseconds) ms"
      }
    }
  }
#endif
