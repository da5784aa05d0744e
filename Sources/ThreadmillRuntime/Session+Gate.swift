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
      if view.past {
        let locks = (view.holds + [view.wanted]).map(\.pastObject)
        return graph.nestedBefore(view.nestedAcquisition(tests: tests(view)), locks)
      }
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
      if let finding = deadlock(views, starting: starting) { promiseStuck(finding) }
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
        promiseStuck(WaitForGraph.queueReentry(snapshot, chain: chain.map(\.sharedObject)))
      } else if let finding = WaitForGraph.selfDeadlock(snapshot, describe: graph.object) {
        promiseStuck(finding)
      }
    }

    private func promiseStuck(_ finding: Finding) {
      toldStuck.formUnion(finding.participants.map(\.thread))
      promise(finding)
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
      for task in view.taskViews where task.object.id != 0 { declare(task.object) }
      let findings = findings(of: view.value(tests: tests(scope:)), view.cause)
      findings.forEach(promise)
      return findings.contains { $0.severity == .error }
    }

    private func findings(of standstill: Standstill, _ cause: tm_standstill_cause) -> [Finding] {
      switch cause {
      case .TM_STANDSTILL_ENDS: HangReport.findings(of: standstill, describe: graph.object)
      case .TM_STANDSTILL_STAYS:
        HangReport.findings(of: standstill, describe: graph.object).filter { finding in
          !finding.participants.contains { toldStuck.contains($0.thread) }
        }
      case .TM_STANDSTILL_ON_QUIT:
        [HangReport.picture(of: standstill, on: .quit, describe: graph.object)]
      case .TM_STANDSTILL_ON_INTERRUPT:
        [HangReport.picture(of: standstill, on: .interrupt, describe: graph.object)]
      }
    }

    func starved(_ view: tm_starvation) {
      view.picture.threadViews.forEach(declareAll)
      detectors.starved(view.value(tests: tests(scope:)), describe: graph.object).forEach(promise)
    }
  }
#endif
