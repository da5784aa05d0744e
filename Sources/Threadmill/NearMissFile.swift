#if os(Linux)
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  /// Carries what near-miss learns from run to run.
  struct NearMissFile {
    private let path: String

    init(at path: String) { self.path = path }

    /// Goes on from what is there. A file that cannot be read is said, and stays as it is.
    func load() {
      do { Session.learn(try NearMissReport.read(from: path)) } catch { complain(error) }
    }

    func save() {
      do { try NearMissReport.merge(into: path, Session.nearMisses) } catch { complain(error) }
    }

    private func complain(_ error: ReportFileError) { Standard.error("threadmill: \(error)\n") }
  }
#endif
