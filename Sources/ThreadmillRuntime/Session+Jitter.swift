#if os(Linux)
  import CThreadmillGate
  import Glibc
  import ThreadmillModel
  import ThreadmillPlanning

  extension Session {
    /// See ``TestBridge/shake(_:seed:scope:)``.
    package static func shake(_ policy: JitterPolicy, seed: Seed, scope: UInt32) {
      guard let session = current else { return }
      Gate.unseen {
        guard let plan = JitterPlan(policy, seed: seed, budget: session.jitterBudget) else {
          return tm_shake_end(scope)
        }
        // Never a value on the stack: this also runs before `main`, whose stack may be small.
        let image = UnsafeMutablePointer<tm_plan>.allocate(capacity: 1)
        defer { image.deallocate() }
        memset(image, 0, MemoryLayout<tm_plan>.size)
        image.pointee.fill(from: plan)
        tm_shake(image, scope)
      }
    }

    package static func endShaking(scope: UInt32) { tm_shake_end(scope) }

    package static var coverage: JitterCoverage {
      guard let session = current else { return JitterCoverage() }
      tm_runtime_lock()
      defer { tm_runtime_unlock() }
      return JitterCoverage(
        lockPairs: session.lockPairs.count, threadPairs: Int(tm_shake_thread_pairs()))
    }

    /// Notes which locks were taken inside which, by where they were made. Inside up-calls.
    func cover(_ view: tm_thread_view) {
      guard tm_is_shaking(), let inner = graph.object(LockID(view.wanted.id)) else { return }
      for held in view.holds {
        guard let outer = graph.object(LockID(held.id)) else { continue }
        lockPairs.insert([outer.created, inner.created])
      }
    }
  }

  extension Session {
    /// Where threads came close so far, but for places of libraries that are gone.
    package static var nearMisses: [NearMiss] {
      var found: [NearMiss] = []
      Gate.unseen { withUnsafeMutablePointer(to: &found) { tm_shake_near_each(collect, $0) } }
      return found
    }

    private static let collect: tm_near_visitor = { place, weight, list in
      guard let miss = NearMiss(place: place, weight: weight) else { return }
      list?.assumingMemoryBound(to: [NearMiss].self).pointee.append(miss)
    }

    /// Goes on from what an earlier run found.
    package static func learn(_ misses: [NearMiss]) {
      for miss in misses {
        let place = tm_place_at(miss.image, miss.offset)
        if place != 0 { tm_shake_near_add(place, UInt32(miss.weight)) }
      }
    }
  }

  extension NearMiss {
    fileprivate init?(place: UInt, weight: UInt32) {
      var image: UnsafePointer<CChar>?
      var offset: UInt64 = 0
      guard tm_place_named(place, &image, &offset), let image else { return nil }
      self.init(image: String(cString: image), offset: offset, weight: Int(weight))
    }
  }

  extension tm_plan {
    /// Writes the plan as the gate reads it. What does not fit into its tables is our mistake.
    fileprivate mutating func fill(from plan: JitterPlan) {
      seed = plan.seed.rawValue
      budget = UInt32(plan.budget)
      manner_count = UInt32(plan.manners.count)
      Self.fill(&manners, plan.manners) { (row: inout tm_manner, manner) in row.fill(from: manner) }
      fresh_times = UInt32(plan.freshTimes)
      Self.fill(&fresh, plan.fresh)
      holds_threads = plan.holdsThreads
      window_count = UInt32(plan.windows.count)
      window_period = UInt64(plan.windowPeriod)
      starved = UInt32(plan.starved)
      Self.fill(&windows, plan.windows) { (row: inout tm_window, window) in
        row = tm_window(
          begins: UInt64(window.begins), microseconds: UInt32(window.microseconds),
          salt: window.salt)
      }
      (rank_count, change_count) = (UInt32(plan.ranks.count), UInt32(plan.changes.count))
      Self.fill(&ranks, plan.ranks) { (word: inout tm_decision, rank) in word = rank.word }
      Self.fill(&changes, plan.changes) { (point: inout UInt64, change) in point = UInt64(change) }
      near_close = UInt32(plan.nearMiss.closeMicroseconds)
      near_delay = UInt32(plan.nearMiss.delayMicroseconds)
      near_keeps = UInt32(plan.nearMiss.keepsPercent)
    }

    /// Fills the beginning of a C array.
    private static func fill<Table, Element, Value>(
      _ table: inout Table, _ values: [Value], _ write: (inout Element, Value) -> Void
    ) {
      withUnsafeMutableBytes(of: &table) { bytes in
        let elements = bytes.bindMemory(to: Element.self)
        precondition(values.count <= elements.count, "Threadmill internal error: plan too large")
        for (index, value) in values.enumerated() { write(&elements[index], value) }
      }
    }

    /// Fills a table with a row for each point.
    fileprivate static func fill<Table>(
      _ table: inout Table, _ decisions: [JitterPlan.Point: [JitterPlan.Decision]]
    ) {
      withUnsafeMutableBytes(of: &table) { bytes in
        let words = bytes.bindMemory(to: tm_decision.self)
        let columns = words.count / JitterPlan.Point.allCases.count
        for (point, row) in decisions {
          precondition(row.count == columns, "Threadmill internal error: \(row.count) decisions")
          let first = point.rawValue * columns
          for (index, decision) in row.enumerated() { words[first + index] = decision.word }
        }
      }
    }
  }

  extension tm_manner {
    fileprivate mutating func fill(from manner: JitterPlan.Manner) {
      (starves, ranks, learns) = (manner.starves, manner.ranks, manner.learns)
      tm_plan.fill(&decisions, manner.decisions)
    }
  }

  extension JitterPlan.Decision {
    /// As the gate reads it.
    fileprivate var word: tm_decision {
      let kind =
        switch self {
        case .nothing: TM_DECIDES_NOTHING
        case .yield: TM_DECIDES_YIELD
        case .spin: TM_DECIDES_SPIN
        case .sleep: TM_DECIDES_SLEEP
        }
      return UInt32(microseconds << TM_DECIDES_SHIFT | kind)
    }
  }
#endif
