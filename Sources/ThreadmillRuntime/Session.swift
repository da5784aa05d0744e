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
    private var unsettled: [Finding] = []
    /// Test names; a scope's number is its place plus one.
    private var scopes: [String] = []
    private var scopeNumbers: [String: UInt32] = [:]
    let detects: Bool
    let profiles: Bool
    let records: Bool
    /// When findings were made; only while somebody records.
    var moments: [Trace.Event] = []
    let jitterBudget: Int
    /// The stacks that made each two locks of which one was taken inside the other, outer first;
    /// only while somebody is disturbed.
    var lockPairs: Set<[Backtrace]> = []
    /// `nil` where nobody asked for a picture.
    var orders: ClassOrders?
    let symbolicator: Symbolicator?
    private let deliver: @Sendable (Finding) -> Void
    private let giveUp: @Sendable (_ isHang: Bool) -> Void

    /// Set once, before the gate is activated; read by up-calls only after that.
    nonisolated(unsafe) static var current: Session?

    private init(
      _ options: Options, deliver: @escaping @Sendable (Finding) -> Void,
      giveUp: @escaping @Sendable (_ isHang: Bool) -> Void
    ) {
      detects = options.detects
      profiles = options.profiles
      records = options.records
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
    /// it, or on one of the gate's own. `giveUp` ends the process after a hang was delivered, and
    /// brings out what there is after a picture was. Where crashes are told, their signals are
    /// handled from the start.
    package static func start(
      _ options: Options, sanitizer: SanitizerOptions, tellsCrashes: Bool, scopes: ScopeHooks?,
      deliver: @escaping @Sendable (Finding) -> Void,
      giveUp: @escaping @Sendable (_ isHang: Bool) -> Void
    ) {
      let session = Session(options, deliver: deliver, giveUp: giveUp)
      current = session
      ScopeHooks.current = scopes
      Unwinding.prepare()
      var listener = Self.listener
      var settings = tm_settings(
        continue_after_reentry: options.continuesReentries,
        hang_seconds: UInt32(options.looksForHangs ? options.hangSeconds : 0),
        main_limit: UInt32(options.looksForBlockedMain ? options.mainLimit : 0),
        shows_threads: options.detects && !options.without.contains(.hang),
        hang_always: options.looksForHangs && options.hang != nil,
        tells_crashes: tellsCrashes && options.detects && !options.without.contains(.crash),
        saves: options.report != nil && options.detects,
        inversion_limit: UInt64(options.inversionLimit) * 1_000_000,
        starvation: options.looksForStarvation,
        pool: UInt32(options.pool),
        profile: options.profiles,
        trace: options.records,
        races: options.looksForRaces,
        sanitizer_speaks: sanitizer.speaks)
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
      give_up: { Session.current?.giveUp($0) },
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

    // MARK: What the gate says

    private func declare(_ view: tm_object_view) {
      if view.fresh { graph.declare(view.sharedObject) }
    }

    private func declareAll(_ view: tm_thread_view) {
      view.holds.forEach(declare)
      view.runs?.pointee.objectViews.forEach(declare)
      if view.wanted.id != 0, view.wanted.kind != TM_THREAD { declare(view.wanted) }
    }

    private func tests(_ view: tm_thread_view) -> [String] { tests(scope: view.scope) }

    func tests(scope number: UInt32) -> [String] {
      let scope = Int(number)
      return scopes.indices.contains(scope - 1) ? [scopes[scope - 1]] : []
    }

    private func nested(_ view: tm_thread_view) {
      declareAll(view)
      cover(view)
      let looksForCycles = detects && detectors.looksFor(.lockOrderCycle)
      guard looksForCycles || orders != nil else { return }
      let event = view.nestedAcquisition(tests: tests(view))
      orders?.nested(event, describe: graph.object)
      if looksForCycles { take(graph.nested(event)) }
    }

    private func blocked(
      _ views: UnsafeBufferPointer<tm_thread_view>, starting: Int,
      involved: UnsafeMutablePointer<Bool>
    ) -> Bool {
      views.forEach(declareAll)
      guard detects, let finding = deadlock(views, starting: starting) else { return false }
      let threads = Set(finding.participants.map(\.thread))
      for (index, view) in views.enumerated() {
        involved[index] = threads.contains(ThreadID(view.thread))
      }
      return true
    }

    private func deadlocked(_ views: UnsafeBufferPointer<tm_thread_view>, starting: Int) {
      if let finding = deadlock(views, starting: starting) { promise(finding) }
    }

    private func deadlock(
      _ views: UnsafeBufferPointer<tm_thread_view>, starting: Int
    ) -> Finding? {
      let snapshots = views.map { $0.snapshot(tests: tests($0)) }
      return WaitForGraph.deadlock(
        among: snapshots, starting: snapshots[starting].thread, describe: graph.object)
    }

    private func certain(
      _ view: tm_thread_view, _ certainty: tm_certainty,
      _ chain: UnsafeBufferPointer<tm_object_view>
    ) {
      declareAll(view)
      chain.forEach(declare)
      guard detects else { return }
      let snapshot = view.snapshot(tests: tests(view))
      if certainty == TM_QUEUE_REENTRY {
        promise(WaitForGraph.queueReentry(snapshot, chain: chain.map(\.sharedObject)))
      } else if let finding = WaitForGraph.selfDeadlock(snapshot, describe: graph.object) {
        promise(finding)
      }
    }

    private func happened(_ happening: tm_happening) {
      happening.objectViews.forEach(declare)
      guard detects, let thread = happening.thread?.pointee else { return }
      declareAll(thread)
      happening.otherViews.forEach(declareAll)
      detectors.happened(happening.value(tests: tests(thread))).forEach(promise)
    }

    private func raced(_ race: tm_race) {
      race.objectViews.forEach(declare)
      if let finding = DataRace(race.value(tests: tests(scope:))).finding { promise(finding) }
    }

    private func standsStill(_ view: tm_standstill) -> Bool {
      view.threadViews.forEach(declareAll)
      for fact in view.factViews {
        declare(fact.object)
        if fact.other.id != 0 { declare(fact.other) }
      }
      let standstill = view.value(tests: tests(scope:))
      let findings =
        view.seconds == 0
        ? [HangReport.picture(of: standstill, describe: graph.object)]
        : HangReport.findings(of: standstill, describe: graph.object)
      findings.forEach(promise)
      return findings.contains { $0.severity == .error }
    }

    private func starved(_ view: tm_starvation) {
      view.picture.threadViews.forEach(declareAll)
      detectors.starved(view.value(tests: tests(scope:)), describe: graph.object).forEach(promise)
    }

    // MARK: What follows

    private func take(_ verdicts: [LockOrderGraph.Verdict]) {
      for verdict in verdicts {
        switch verdict {
        case .finding(let finding): promise(finding)
        case .watch(let locks): watchAgain(locks)
        }
      }
    }

    private func watchAgain(_ locks: [LockID]) {
      for object in locks.compactMap(graph.object) { tm_watch_again(object.address) }
    }

    func take(_ disqualification: LockOrderGraph.Disqualification) {
      unsettled.removeAll(where: disqualification.withdrawn.contains)
      take(disqualification.verdicts)
    }

    /// Every object that somebody holds or works for is listed, not only those that the finding is
    /// about.
    private func promise(_ finding: Finding) {
      guard detectors.looksFor(finding.kind) else { return }
      detectors.found(finding)
      if records { noteMoment(of: finding) }
      var complete = finding
      var listed = Set(finding.objects.map(\.id))
      let others = finding.participants.flatMap { part in
        part.holds.map(\.object) + [part.runs?.group, part.runs?.actor].compactMap(\.self)
      }
      for id in others where listed.insert(id).inserted {
        if let object = graph.object(id) { complete.objects.append(object) }
      }
      unsettled.append(complete)
      tm_promise()
    }

    /// Delivers what was promised, with no lock of the detectors held.
    ///
    /// The thread may hold any lock of the program, even the dynamic linker's, which looking up
    /// names takes: so it waits for another delivery only for a while, and leaves the rest to the
    /// next one.
    private func settle() {
      guard tm_delivery_lock_within(Self.patience) else { return tm_promise() }
      defer { tm_delivery_unlock() }
      settleAll()
    }

    private static let patience: UInt32 = 2_000

    private func settleAll() {
      tm_runtime_lock()
      let findings = unsettled
      unsettled = []
      let races = tm_races_told()
      tm_runtime_unlock()
      for finding in findings {
        let named = symbolicator?.symbolicated(finding) ?? finding
        if !named.isLibraryBusiness { deliver(Crash.withCause(named)) }
      }
      tm_races_settled(races)
    }

    /// What is still promised at the end; called inside `Gate.delivering`.
    package static func settleRest() {
      tm_runtime_lock()
      tm_races_tell()
      tm_runtime_unlock()
      current?.settleAll()
    }

    /// The races that Thread Sanitizer has reported so far, those included that another thread is
    /// about to deliver; called inside `Gate.delivering`.
    package static func settleRaces() {
      if tm_races_wait() { settleRest() }
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
