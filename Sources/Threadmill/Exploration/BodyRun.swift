#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime

  /// One run of the body after the other. Used by whoever has its turn, and between the runs by
  /// whoever explores: turns are no synchronisation that Thread Sanitizer knows.
  final class BodyRun: @unchecked Sendable {
    private(set) var error: (any Error)?
    /// Those that failed, each place once.
    private(set) var expectations: [FailedExpectation] = []
    private(set) var isOver = false
    /// The findings until the run had too many steps; `nil` if it had not. Later ones belong to no
    /// run.
    private(set) var findingsBeforeCut: [Finding]?
    /// What the body has claimed with `always` and `eventually`.
    private(set) var claims = Claims()
    /// The director of the runs, which looks at every step while there are claims.
    weak var director: Director?
    /// Whoever explores may look at every step, too, and choose another one.
    var attention: Attention?
    typealias Attention =
      @Sendable (
        UnsafeBufferPointer<Offer>, _ chosen: Int, _ made: Int, _ mayGuide: Bool
      ) -> Int
    /// Whether the order is free, to be simplified, or that of a schedule.
    var freedom = Freedom.free

    enum Freedom {
      case free
      case simplified
      case followed
    }

    private var mayGuide: Bool { freedom != .followed }
    private var guidance: Claims.Guidance {
      switch freedom {
      case .free: .exploring(run: number)
      case .simplified: .late
      case .followed: .never
      }
    }
    /// The run that has the turn. Used by the flow that has it.
    nonisolated(unsafe) static weak var current: BodyRun?
    /// Of the run, of all of its exploration from 1; what is left of one before has nothing to say
    /// any more.
    private(set) var number = 0
    /// Why there can be no more runs.
    var refusal: ExplorationError?
    private let past: Past

    /// The memory of an exploration about all runs of its body, including those that check a
    /// failure. Used by the run that has the turn, and between the runs.
    final class Past {
      var runs = 0
      /// Whether one of them began an exploration of its own.
      var hasExplored = false
    }

    init(_ past: Past) { self.past = past }

    /// Refuses an exploration within this one.
    static func refuseNested() throws(ExplorationError) {
      guard Gate.isControlled else { return }
      Gate.unseen { current?.past.hasExplored = true }
      throw .nested
    }

    func begin() {
      (error, expectations, isOver) = (nil, [], false)
      findingsBeforeCut = nil
      claims = Claims()
      director?.attention = attention.map { attention in
        { [unowned self] enabled, _, chosen, made in
          attention(enabled, chosen, made, mayGuide)
        }
      }
      past.runs += 1
      number = past.runs
    }

    func perform(_ body: @Sendable () async throws -> Void) async {
      guard Gate.beginBody() else { return }
      Gate.unseen { Self.current = self }
      do {
        try await body()
      } catch {
        Gate.unseen { if findingsBeforeCut == nil { self.error = error } }
      }
      Gate.unseen {
        if findingsBeforeCut == nil { isOver = true }
        Gate.bodyIsOver()
      }
    }

    /// Adds a claim, which is held against every step from now on.
    func claim(_ claim: Claims.Claim) {
      claims.add(claim)
      director?.attention = { [unowned self] enabled, _, chosen, made in
        let chosen = attention?(enabled, chosen, made, mayGuide) ?? chosen
        let choice = claims.look(at: enabled, chosen, made, guidance)
        for failure in claims.takeFailures() { fail(failure) }
        return choice
      }
    }

    /// The run has come to its end: what is not true now never becomes true.
    func settleClaims() {
      claims.settle()
      for failure in claims.takeFailures() { fail(failure) }
    }

    /// The run has too many steps.
    func cut() { findingsBeforeCut = Outlet.shared?.takeExplored() ?? [] }

    /// Takes the findings of the run, which is over.
    func takeFindings() -> [Finding] {
      let found = Outlet.shared?.takeExplored() ?? []
      return findingsBeforeCut ?? found
    }

    func fail(_ expectation: FailedExpectation) {
      Gate.unseen {
        guard findingsBeforeCut == nil,
          !expectations.contains(where: { $0.key == expectation.key })
        else { return }
        expectations.append(expectation)
      }
    }
  }
#endif
