#if os(Linux)
  import CThreadmillGate
  import ThreadmillDetection
  import ThreadmillModel

  // Passes the events of the gate to the detectors.
  extension Session {
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

    func nested(_ view: tm_thread_view) {
      declareAll(view)
      cover(view)
      let looksForCycles = detects && detectors.looksFor(.lockOrderCycle)
      guard looksForCycles || orders != nil else { return }
      let event = view.nestedAcquisition(tests: tests(view))
      orders?.nested(event, describe: graph.object)
      if looksForCycles { take(graph.nested(event)) }
    }

    func blocked(
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

    func deadlocked(_ views: UnsafeBufferPointer<tm_thread_view>, starting: Int) {
      if let finding = deadlock(views, starting: starting) { promise(finding) }
    }

    private func deadlock(
      _ views: UnsafeBufferPointer<tm_thread_view>, starting: Int
    ) -> Finding? {
      let snapshots = views.map { $0.snapshot(tests: tests($0)) }
      return WaitForGraph.deadlock(
        among: snapshots, starting: snapshots[starting].thread, describe: graph.object)
    }

    func certain(
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

    func happened(_ happening: tm_happening) {
      happening.objectViews.forEach(declare)
      guard detects, let thread = happening.thread?.pointee else { return }
      declareAll(thread)
      happening.otherViews.forEach(declareAll)
      guard let event = happening.value(tests: tests(thread)) else { return }
      detectors.happened(event).forEach(promise)
    }

    func raced(_ race: tm_race) {
      race.objectViews.forEach(declare)
      guard let finding = DataRace(race.value(tests: tests(scope:))).finding else { return }
      if race.explored {
        if let complete = completed(finding) { exploredRaces.append(complete) }
      } else {
        promise(finding)
      }
    }

    func standsStill(_ view: tm_standstill) -> Bool {
      view.threadViews.forEach(declareAll)
      for fact in view.factViews {
        declare(fact.object)
        if let other = fact.other { declare(other) }
      }
      let standstill = view.value(tests: tests(scope:))
      let findings =
        view.seconds == 0
        ? [HangReport.picture(of: standstill, describe: graph.object)]
        : HangReport.findings(of: standstill, describe: graph.object)
      findings.forEach(promise)
      return findings.contains { $0.severity == .error }
    }

    func starved(_ view: tm_starvation) {
      view.picture.threadViews.forEach(declareAll)
      detectors.starved(view.value(tests: tests(scope:)), describe: graph.object).forEach(promise)
    }
  }
#endif
