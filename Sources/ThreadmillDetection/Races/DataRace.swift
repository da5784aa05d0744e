import ThreadmillModel

/// What Thread Sanitizer reports of a race, in our words.
///
/// Both accesses are told without what was held: which of the two comes first is chance, and the
/// same race has to be the same finding either way.
package struct DataRace {
  private let report: RaceReport

  package init(_ report: RaceReport) { self.report = report }

  /// `nil` if there are no two accesses to tell of.
  package var finding: Finding? {
    guard report.accesses.count > 1 else { return nil }
    let (now, before) = (report.accesses[0], report.accesses[1])
    return Finding(
      kind: .dataRace, status: .observed, severity: .error, title: title(now, before),
      participants: [
        participant(now, verb(of: now), submitted: report.submitted),
        participant(before, pastVerb(of: before)),
      ],
      objects: objects,
      facts: turnFacts(now, before) + holdFacts(now, before) + sleepFacts(now) + memoryFacts
        + threadFacts,
      tests: Set(report.accesses.flatMap(\.tests)).sorted())
  }

  private func title(_ now: RaceReport.Access, _ before: RaceReport.Access) -> String {
    let beginning =
      switch report.kind {
      case .memory, .variable: "Data race"
      case .freed: "Use after free in a data race"
      case .virtualTable: "Data race on a virtual table"
      }
    let place = if case .global(let name?) = report.memory { " on \(name)" } else { "" }
    let (one, other) = (now.who, before.who)
    return
      "\(beginning)\(place): \(one) \(verb(of: now)) \(what(now)) that "
      + "\(one == other ? before.whoElse : other) \(pastVerb(of: before)), "
      + "and nothing orders the two"
  }

  private func participant(
    _ access: RaceReport.Access, _ verb: String, submitted: Backtrace = []
  ) -> Finding.Participant {
    Finding.Participant(
      thread: access.thread, threadName: report.threads.first { $0.id == access.thread }?.name,
      role: "\(access.strand == nil ? "" : "in \(access.who), ")\(verb) \(what(access))",
      frames: access.stack, submitted: access.strand?.submitted ?? submitted)
  }

  // MARK: Words

  private func what(_ access: RaceReport.Access) -> String {
    if case .variable = report.kind { return "a Swift variable" }
    return access.size == 1 ? "1 byte" : "\(access.size) bytes"
  }

  private func verb(of access: RaceReport.Access) -> String {
    let verb =
      switch report.kind {
      case .variable where access.writes: "modifies"
      default: access.writes ? "writes" : "reads"
      }
    return access.isAtomic ? "atomically \(verb)" : verb
  }

  private func pastVerb(of access: RaceReport.Access) -> String {
    let verb =
      switch report.kind {
      case .freed, .virtualTable(freed: true): "freed"
      case .variable where access.writes: "modified"
      default: access.writes ? "wrote" : "read"
      }
    return access.isAtomic ? "atomically \(verb)" : verb
  }

  // MARK: What else is known

  private var objects: [SharedObject] {
    var listed: Set<LockID> = []
    return (report.heldObjects + report.mutexes.compactMap(\.object))
      .filter { listed.insert($0.id).inserted }
  }

  /// That no other thread was needed for it.
  private func turnFacts(
    _ now: RaceReport.Access, _ before: RaceReport.Access
  ) -> [Finding.Fact] {
    guard now.strand != nil || before.strand != nil, now.thread == before.thread,
      before.isThreadCertain
    else { return [] }
    return [
      Finding.Fact(
        "the two ran one after the other on \(now.thread) in this run, which does not order them")
    ]
  }

  private func holdFacts(
    _ now: RaceReport.Access, _ before: RaceReport.Access
  ) -> [Finding.Fact] {
    report.held.map {
      Finding.Fact("\(now.thread) holds \(name(of: $0.lock)), taken", frames: $0.site)
    }
      + report.mutexes.filter { !$0.isHeldNow }.map { mutex in
        if let object = mutex.object {
          return Finding.Fact("\(before.thread) held \(object.displayName)")
        }
        let address = String(mutex.address, radix: 16)
        return Finding.Fact(
          "\(before.thread) held a lock at 0x\(address), first used", frames: mutex.created)
      }
  }

  private func name(of lock: LockID) -> String {
    objects.first { $0.id == lock }?.displayName ?? "\(lock)"
  }

  private func sleepFacts(_ now: RaceReport.Access) -> [Finding.Fact] {
    guard !report.slept.isEmpty else { return [] }
    return [
      Finding.Fact(
        "\(now.thread) slept between the two, which makes them look ordered and does not order them",
        frames: report.slept)
    ]
  }

  private var memoryFacts: [Finding.Fact] {
    guard let address = report.accesses.map(\.address).min() else { return [] }
    let place = "\(Finding.Fact.memory)\(String(address, radix: 16))"
    switch report.memory {
    case .unknown: return []
    case .heap(let start, let size, let thread, let allocated):
      let inside = address >= start ? "at offset \(address - start) of" : "in"
      return [
        Finding.Fact(
          "\(place) is \(inside) a block of \(size) bytes, allocated\(by(thread))",
          frames: allocated)
      ]
    case .global(let name):
      return [Finding.Fact(name.map { place + Finding.Fact.global + $0 } ?? "\(place) is global")]
    case .stack(let thread): return [Finding.Fact("\(place) is on the stack\(of(thread))")]
    case .threadLocal(let thread): return [Finding.Fact("\(place) is thread-local\(of(thread))")]
    case .file(let number, let thread, let opened):
      return [
        Finding.Fact("it is about file descriptor \(number), used\(by(thread))", frames: opened)
      ]
    }
  }

  private func by(_ thread: ThreadID?) -> String { thread.map { " by \($0)" } ?? "" }
  private func of(_ thread: ThreadID?) -> String { thread.map { " of \($0)" } ?? "" }

  /// Where a thread comes from, if that says anything.
  private var threadFacts: [Finding.Fact] {
    let racing = Set(report.accesses.prefix(2).map(\.thread))
    return report.threads.compactMap { thread in
      guard racing.contains(thread.id), !thread.created.isEmpty else { return nil }
      return Finding.Fact("\(thread.id) was created\(by(thread.creator))", frames: thread.created)
    }
  }
}

extension RaceReport.Access {
  /// The one that made it.
  fileprivate var who: String {
    guard let strand else { return "\(thread)" }
    return switch strand.kind {
    case .block: "a block\(strand.place)"
    case .iteration: "an iteration of concurrentPerform"
    case .task(let number?): "Swift task \(number)"
    case .task(nil): "a Swift task"
    }
  }

  /// The same, where another one of that name was told of.
  fileprivate var whoElse: String {
    guard let strand else { return "\(thread)" }
    return switch strand.kind {
    case .block: "another block\(strand.place)"
    case .iteration: "another iteration of concurrentPerform"
    case .task(nil): "another Swift task"
    case .task(_?): "an earlier job of it"
    }
  }
}

extension RaceReport.Strand {
  fileprivate var place: String { queue.map { " of queue \"\($0)\"" } ?? "" }
}
