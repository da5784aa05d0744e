#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime
  import ThreadmillScheduling

  // Explorations that are led to lines of the program.
  extension Explorer {
    /// The lines that explorations of this process are led to, looked up when the first one begins.
    private static let leading = Result { () throws(LedLines.Fault) in
      try LedLines.lead(to: TestBridge.options.towards)
    }

    static var isLed: Bool { !TestBridge.options.towards.isEmpty }

    /// - Throws: an ``ExplorationError`` if a line of the options is none of the program.
    func lead() throws {
      guard Self.isLed else { return }
      if case .failure(let fault) = Self.leading {
        throw ExplorationError.cannotLead(fault.description)
      }
    }

    /// The coverage of the schedules that a strategy has ordered.
    func coverage(_ strategy: StrategyPortfolio) -> ExplorationCoverage {
      var coverage = strategy.shown
      let (arrivals, met) = strategy.meetings
      coverage.lines = zip(TestBridge.options.towards, arrivals).map {
        .init(place: $0.description, schedules: $1)
      }
      coverage.met = met
      return coverage
    }
  }

  extension LedLines.Fault: CustomStringConvertible {
    package var description: String {
      switch self {
      case .noFile(let line):
        words(line) + "no such file in the program's debug information; name a file of the program"
      case .noCode(let line, let nearest):
        words(line) + "no code there" + Self.nearest(nearest)
      case .ambiguous(let line, let paths):
        words(line) + "\(paths.count) files have this name: \(paths.joined(separator: ", ")); write"
          + " more of the path"
      }
    }

    private func words(_ line: CodeLine) -> String { "\(ExploredTest.cannotLead)\(line): " }

    private static func nearest(_ lines: [Int]) -> String {
      switch lines.count {
      case 0: ""
      case 1: "; the nearest line with code is \(lines[0])"
      default: "; the nearest lines with code are \(lines[0]) and \(lines[1])"
      }
    }
  }
#endif
