#if os(Linux)
  import CThreadmillGate
  import ThreadmillDetection
  import ThreadmillModel

  /// What one process has seen: the detectors' state, and the findings that wait to be delivered.
  ///
  /// There is one, made by ``start(_:deliver:)`` and never taken down.
  package final class Session: @unchecked Sendable {
    // Every stored variable is read and written inside up-calls of the gate or between
    // `tm_runtime_lock` and `tm_runtime_unlock`, which is the same lock.
    var graph = LockOrderGraph()
    var detectors: Detectors
    var unsettled: [Finding] = []
    /// Races of the schedule that is explored; whoever explores takes them.
    var exploredRaces: [Finding] = []
    /// Test names; a scope's number is its place plus one.
    var scopes: [String] = []
    private var scopeNumbers: [String: UInt32] = [:]
    let detects: Bool
    let profiles: Bool
    let records: Bool
    let blamesOneThread: Bool
    /// When findings were made; only while somebody records.
    var moments: [Trace.Event] = []
    let jitterBudget: Int
    /// The stacks that made each two locks of which one was taken inside the other, outer first;
    /// only while somebody is disturbed.
    var lockPairs: Set<[Backtrace]> = []
    /// `nil` where nobody asked for a picture.
    var orders: ClassOrders?
    let symbolicator: Symbolicator?
    let deliver: @Sendable (Finding) -> Void
    private let giveUp: @Sendable (Outcome) -> Void
    /// The threads of deadlocks and locks taken again: they have been told of.
    var toldStuck: Set<ThreadID> = []

    /// What becomes of the process after a standstill, or after a signal.
    package enum Outcome: Sendable {
      /// It goes on standing still.
      case stays
      /// A signal is about to end it.
      case endsBySignal
      /// `giveUp` has to end it.
      case endsByHang

      init(_ outcome: tm_outcome) {
        switch outcome {
        case .TM_PROCESS_STAYS: self = .stays
        case .TM_SIGNAL_ENDS: self = .endsBySignal
        case .TM_HANG_ENDS: self = .endsByHang
        }
      }
    }

    /// Set once, before the gate is activated; read by up-calls only after that.
    nonisolated(unsafe) static var current: Session?

    private init(
      _ options: Options, deliver: @escaping @Sendable (Finding) -> Void,
      giveUp: @escaping @Sendable (Outcome) -> Void
    ) {
      detects = options.detects
      profiles = options.profiles
      records = options.records
      blamesOneThread = options.blamesOneThread
      orders = options.drawsLocks ? ClassOrders() : nil
      jitterBudget = options.jitterBudget
      detectors = Detectors(without: options.without)
      symbolicator = options.symbolicates ? Symbolicator() : nil
      self.deliver = deliver
      self.giveUp = giveUp
    }

    /// Starts watching this process.
    ///
    /// Called once, before other threads exist. `deliver` gets each finding with its symbols, one
    /// at a time, with no lock of the harness held but that of delivery: on the thread that made
    /// it, or on one of the gate's own. `giveUp` is called after a standstill was delivered, and
    /// before a signal ends the process. If crashes are told, their signals are handled from the
    /// start.
    package static func start(
      _ options: Options, sanitizer: SanitizerOptions, tellsCrashes: Bool, scopes: ScopeHooks?,
      deliver: @escaping @Sendable (Finding) -> Void,
      giveUp: @escaping @Sendable (Outcome) -> Void
    ) {
      let session = Session(options, deliver: deliver, giveUp: giveUp)
      current = session
      ScopeHooks.current = scopes
      Unwinding.prepare()
      Layouts.prepare()
      var listener = Self.listener
      var settings = tm_settings(
        continue_after_reentry: options.continuesReentries,
        hang_seconds: UInt32(options.looksForHangs ? options.hangSeconds : 0),
        stuck_seconds: UInt32(Options.secondsOfDeadlock),
        main_limit: UInt32(options.looksForBlockedMain ? options.mainLimit : 0),
        shows_threads: options.detects && !options.without.contains(.hang),
        hang_always: options.looksForHangs && options.hang != nil,
        leaves_hangs: options.leavesHangs,
        tells_crashes: tellsCrashes && options.detects && !options.without.contains(.crash),
        saves: options.report != nil && options.detects,
        inversion_limit: UInt64(options.inversionLimit) * 1_000_000,
        starvation: options.looksForStarvation,
        pool: UInt32(options.pool),
        all_nestings: options.drawsLocks || options.jitter != .off,
        profile: options.profiles,
        trace: options.records,
        races: options.looksForRaces,
        mutexes: options.detects,
        sanitizer_speaks: sanitizer.speaks,
        strands: options.comparesStrands,
        leaves_libraries: sanitizer.leavesOutLibraries)
      tm_activate(&listener, &settings)
    }

    private static let listener = tm_listener(
      nested: { view in Session.with(view) { $0.nested($1) } },
      blocked: { threads, count, starting, involved in
        guard let session = Session.current, let threads, let involved else { return false }
        let views = UnsafeBufferPointer(start: threads, count: Int(count))
        return session.blocked(views, starting: Int(starting), involved: involved)
      },
      deadlocked: { threads, count, starting in
        guard let session = Session.current, let threads else { return }
        let views = UnsafeBufferPointer(start: threads, count: Int(count))
        session.deadlocked(views, starting: Int(starting))
      },
      certain: { view, certainty, chain, count in
        let links = UnsafeBufferPointer(start: chain, count: Int(count))
        Session.with(view) { $0.certain($1, certainty, links) }
      },
      retired: { Session.current?.retired(LockID($0)) },
      happened: { happening in
        guard let session = Session.current, let happening else { return }
        session.happened(happening.pointee)
      },
      raced: { race in
        guard let session = Session.current, let race else { return }
        session.raced(race.pointee)
      },
      standstill: { standstill in
        guard let session = Session.current, let standstill else { return false }
        return session.standsStill(standstill.pointee)
      },
      starved: { starvation in
        guard let session = Session.current, let starvation else { return }
        session.starved(starvation.pointee)
      },
      give_up: { Session.current?.giveUp(Outcome($0)) },
      depends: { dependency in
        guard let session = Session.current, let dependency else { return false }
        return session.depends(dependency.pointee)
      },
      independent: {
        Session.current?.detectors.operationCycles.independent(from: LockID($0), to: LockID($1))
      },
      way: { from, to, steps, limit in
        guard let session = Session.current, let steps else { return 0 }
        return session.way(from: LockID(from), to: LockID(to), steps, limit: Int(limit))
      },
      disqualified: { id in
        guard let session = Session.current else { return }
        session.disqualified(LockID(id))
      },
      settle: { Session.current?.settle() },
      scope_entered: { ScopeHooks.current?.entered() ?? 0 },
      scope_leaving: { ScopeHooks.current?.leaving($0) })

    private static func with(
      _ view: UnsafePointer<tm_thread_view>?, _ body: (Session, tm_thread_view) -> Void
    ) {
      guard let session = current, let view else { return }
      body(session, view.pointee)
    }

    // MARK: Scopes

    /// A number under which the gate carries this test from thread to thread; the same name gets
    /// the same number.
    package static func scope(named name: String) -> UInt32 {
      guard let session = current else { return 0 }
      tm_runtime_lock()
      defer { tm_runtime_unlock() }
      if let known = session.scopeNumbers[name] { return known }
      session.scopes.append(name)
      session.scopeNumbers[name] = UInt32(session.scopes.count)
      return UInt32(session.scopes.count)
    }

    /// What was dropped, cut or filtered so far, by name; zero is left out. Called inside
    /// `Gate.delivering`.
    package static var accounting: [String: Int] {
      guard let session = current else { return [:] }
      tm_runtime_lock()
      var result = session.graph.accounting
      if let left = session.orders?.leftOut { result["lockOrdersNotKept"] = left }
      result.merge(session.detectors.operationCycles.accounting) { $0 + $1 }
      tm_runtime_unlock()
      result.merge(session.symbolicator?.accounting ?? [:]) { $0 + $1 }
      for (name, count) in Gate.counts { result[name, default: 0] += count }
      if let missing = Unwinding.missing { result[missing] = 1 }
      return result.filter { $0.value != 0 }
    }
  }
#endif
