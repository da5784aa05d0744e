#if canImport(Glibc)
  import Glibc
  import ThreadmillModel

  /// The mailbox of a run, beside its report file: takes the reports of watched processes that
  /// cannot write the file, because they have become another user, have another root or have narrow
  /// limits.
  ///
  /// The tool makes it, with its final length. Each process maps it when it starts, and keeps no
  /// descriptor; `ground/mailbox.h` of the gate has the layout, in numbers of 64 bits. The file has
  /// holes: what is not used costs nothing.
  package enum ReportMailbox {
    /// The size of the mailbox, which all processes of a run share.
    package static let size = 16 << 20
    private static let mark: UInt64 = 0x3130_4C49_414D_4D54
    private static let headerSize = 32
    private static let letterSize = 16

    /// The contents of a mailbox.
    package struct Content: Sendable {
      package var reports: [Report] = []
      /// Reports that found no room, or whose process died meanwhile.
      package var lost = 0
    }

    /// The path of the mailbox of a report file.
    package static func path(beside report: String) -> String { report + ".mailbox" }

    /// Makes the empty mailbox of a report file. Without one, processes say what they cannot write.
    package static func make(beside report: String) {
      var limit = rlimit()
      // To make a longer file than the limit allows is a signal.
      guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
        limit.rlim_cur >= rlim_t(size)
      else { return }
      let path = path(beside: report)
      let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file >= 0 else { return }
      defer { close(file) }
      let header = [mark.littleEndian, UInt64(headerSize).littleEndian, 0, 0]
      let written = header.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if written != headerSize || ftruncate(file, off_t(size)) != 0 { unlink(path) }
    }

    /// Reads what the processes of a run have put in; nothing if there is no mailbox.
    package static func content(beside report: String) -> Content {
      guard let bytes = try? ReportFile.bytes(of: path(beside: report)) else { return Content() }
      return content(of: bytes)
    }

    /// The processes may have been hostile: a length that does not fit ends the reading.
    static func content(of bytes: [UInt8]) -> Content {
      var content = Content()
      func number(at place: Int) -> UInt64 {
        bytes[place..<(place + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      guard bytes.count >= headerSize, number(at: 0) == mark else { return content }
      content.lost = Int(clamping: number(at: 16))
      let end = Int(min(number(at: 8), UInt64(bytes.count)))
      var place = headerSize
      while place + letterSize <= end {
        let length = number(at: place)
        let start = place + letterSize
        guard length > 0, length <= UInt64(end - start) else {
          content.lost += 1
          break
        }
        let isComplete = number(at: place + 8) == 1
        let letter = isComplete ? Array(bytes[start..<(start + Int(length))]) : []
        if let report = try? JSONReport.report(from: letter) {
          content.reports.append(report)
        } else {
          content.lost += 1
        }
        place = start + (Int(length) + 7) / 8 * 8
      }
      return content
    }
  }
#endif
