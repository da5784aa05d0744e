#if os(Linux)
  import Glibc
  import ThreadmillDetection
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  /// Tries out potential lock order cycles: starts this program several times, and each time holds
  /// its threads for longer at the places where they have to meet.
  struct CycleTrials {
    /// The limits for one cycle.
    static let most = 20
    static let seconds = 10
    /// The number of first runs, in which every thread of the cycle is held.
    private static let plain = 6

    /// The source of all random choices.
    let seed: Seed
    let arguments: [String]
    /// In the form `NAME=value`.
    let environment: [String]
    /// The folder in which the program started; `nil` if it has no name.
    let folder: String?
    /// How long one run of the program may take.
    let patience: Duration

    /// Whether there is anything to try out.
    static func canConfirm(_ finding: Finding) -> Bool {
      finding.kind == .lockOrderCycle && finding.status == .potential
        && finding.severity == .error && !finding.isSingleThreaded
        && CyclePlaces(of: finding) != nil
    }

    /// The cycle as it is known after the trials.
    ///
    /// - Returns: the same, confirmed with the deadlock, or with the number of vain tries.
    func tried(_ cycle: Finding) -> Finding {
      guard let places = CyclePlaces(of: cycle)?.everywhere,
        let temporary = Self.temporaryFolder()
      else { return cycle }
      let report = temporary + "/report.json"
      defer {
        unlink(report)
        rmdir(temporary)
      }
      let began = ContinuousClock.now
      let end = began.advanced(by: .seconds(Self.seconds))
      var result = cycle
      for number in 0..<Self.most where ContinuousClock.now < end {
        let spent = (ContinuousClock.now - began) / .seconds(Self.seconds)
        let plan = plan(number, spent: spent, places: places, report: report)
        guard let run = start(plan) else { return result }
        run.wait(
          until: min(end, .now.advanced(by: patience + .milliseconds(4 * plan.milliseconds))))
        result.confirmation = Finding.Confirmation(tries: number + 1)
        if let deadlock = ReportFile.read(report)?.findings.first {
          return cycle.confirmed(
            by: deadlock.participants, tries: number + 1, seed: seed.rawValue)
        }
      }
      return result
    }

    /// The later runs let some pass, in case that it takes others.
    private func plan(
      _ number: Int, spent: Double, places: [SteeringPlan.Edge], report: String
    ) -> SteeringPlan {
      var chance = SplitMix64(seed: .derived(from: seed, number))
      var plan = SteeringPlan(
        edges: places, milliseconds: Self.milliseconds(number, spent: spent), folder: folder,
        report: report)
      guard number >= Self.plain else { return plan }
      for edge in plan.edges.indices {
        plan.edges[edge].skipped = Int.random(in: 0...3, using: &chance)
      }
      return plan
    }

    /// From 50 ms to 1 s: by the number of the run, and where runs take long, by the share of the
    /// time that is spent.
    private static func milliseconds(_ number: Int, spent: Double) -> Int {
      let length = (0..<number).reduce(50) { length, _ in min(1_000, length * 7 / 5) }
      return max(length, Int(min(spent, 1) * 1_000))
    }

    private func start(_ plan: SteeringPlan) -> SteeredProcess? {
      guard let text = plan.text else { return nil }
      return SteeredProcess(
        arguments: arguments, environment: environment + ["\(SteeringPlan.variable)=\(text)"])
    }

    private static func temporaryFolder() -> String? {
      let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      var template = Array("\(parent)/threadmill-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { return nil }
      return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  extension CyclePlaces {
    /// As another process of this program understands them; `nil` if that is not possible.
    fileprivate var everywhere: [SteeringPlan.Edge]? {
      func places(_ addresses: [UInt64]) -> [SteeringPlan.Place]? {
        let places = addresses.compactMap(Steering.place)
        return places.count == addresses.count ? places : nil
      }
      let edges = edges.compactMap { edge -> SteeringPlan.Edge? in
        guard let outer = places(edge.outer), let inner = places(edge.inner) else { return nil }
        return SteeringPlan.Edge(outer: outer, inner: inner)
      }
      return edges.count == self.edges.count ? edges : nil
    }
  }
#endif
