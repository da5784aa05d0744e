#if os(Linux)
  import ThreadmillModel

  // The cause of a failure as one word of a message between processes: cells separated by tabs.
  extension Exploration.Failure.Cause {
    /// The cause as one word; `nil` if the end of the process shows the cause by itself.
    var word: String? {
      let cells: [String]
      switch self {
      case .error(let error):
        let known = error as? ErrorElsewhere
        cells = ["error", known?.type ?? "\(type(of: error))", "\(error)"]
      case .expectation(let failed):
        let numbers = [failed.line, failed.column].map { $0.map(String.init) ?? "" }
        cells = ["expectation", failed.text, failed.file ?? ""] + numbers
      case .finding(let kind, let title): cells = ["finding", kind.rawValue, title]
      case .standstill(let waiting): cells = ["standstill", "\(waiting)"]
      case .endless(let steps): cells = ["endless", "\(steps)"]
      case .stuck(let seconds, let place): cells = ["stuck", "\(seconds)", place]
      case .status, .signal, .sanitizer: return nil
      }
      return cells.map { cell in
        let text = String(cell.prefix(Self.longestCell)).replacing("\0", with: "")
        return TestResult.escaped(text)
      }.joined(separator: "\t")
    }

    /// So many characters of each text are kept.
    private static let longestCell = 4_000

    /// Reads ``word``; `nil` for anything else.
    init?(word: String) {
      let cells = word.split(separator: "\t", omittingEmptySubsequences: false)
        .map { TestResult.unescaped($0) }
      let number = cells.count > 1 ? Int(cells[1]) : nil
      switch (cells[0], cells.count) {
      case ("error", 3): self = .error(ErrorElsewhere(type: cells[1], description: cells[2]))
      case ("expectation", 5):
        let file = cells[2].isEmpty ? nil : cells[2]
        self = .expectation(
          FailedExpectation(cells[1], file: file, line: Int(cells[3]), column: Int(cells[4])))
      case ("finding", 3):
        guard let kind = FindingKind(rawValue: cells[1]) else { return nil }
        self = .finding(kind, title: cells[2])
      case ("standstill", 2): self = .standstill(waiting: number ?? 0)
      case ("endless", 2): self = .endless(steps: number ?? 0)
      case ("stuck", 3): self = .stuck(seconds: number ?? 0, place: cells[2])
      default: return nil
      }
    }
  }
#endif
