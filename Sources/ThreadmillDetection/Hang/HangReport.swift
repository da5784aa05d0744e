import ThreadmillModel

/// The words for a standstill: one finding for each corner of stuck threads, and findings about
/// tasks that wait.
///
/// Threads belong to one corner if one waits for an object that the other holds, for the other's
/// end, or for the same object. They may also be connected through other threads, or through a
/// block that one waits for and the other keeps from running.
package struct HangReport {
  /// The most threads, blocks or places of one kind that are shown one by one.
  static let alikeShown = 3

  let standstill: Standstill
  let describe: (LockID) -> SharedObject?
  private let wanted: Set<LockID>

  private init(_ standstill: Standstill, describe: @escaping (LockID) -> SharedObject?) {
    self.standstill = standstill
    self.describe = describe
    wanted = standstill.wanted
  }

  package static func findings(
    of standstill: Standstill, describe: (LockID) -> SharedObject?
  ) -> [Finding] {
    withoutActuallyEscaping(describe) { describe in
      let report = HangReport(standstill, describe: describe)
      let corners = Corners(of: standstill)
      var chains = AwaitChain.chains(of: standstill.tasks)
      let stuck = corners.threads.map { threads in
        let facts = standstill.facts.filter { corners.joins($0, threads[0]) }
        let waiting = chains.filter { $0.leads(toAnyOf: threads) }
        chains.removeAll { $0.leads(toAnyOf: threads) }
        return report.finding(threads, facts: facts, waiting: waiting)
      }
      return stuck + Unresumed.findings(of: chains, in: standstill)
    }
  }

  /// A signal that asks for a picture.
  package enum Signal: String, Sendable {
    /// The user asks for it.
    case quit = "SIGQUIT"
    /// The user ends a program that does not move, and may do so by design.
    case interrupt = "SIGINT"
  }

  /// - Parameter waiting: the tasks that wait for these threads.
  private func finding(
    _ threads: [ThreadSnapshot], facts: [Standstill.Fact], waiting: [AwaitChain]
  ) -> Finding {
    var finding = finding(threads, facts: facts)
    finding.facts += waiting.flatMap { $0.facts { "task \($0)" } }
    finding.tests = Set(finding.tests + waiting.flatMap(\.tests)).sorted()
    return finding
  }

  /// Returns a finding that shows what threads do: a warning, or a note on SIGINT.
  package static func picture(
    of standstill: Standstill, on signal: Signal, describe: (LockID) -> SharedObject?
  ) -> Finding {
    withoutActuallyEscaping(describe) { describe in
      let report = HangReport(standstill, describe: describe)
      let threads = standstill.threads.sorted { $0.thread < $1.thread }
      var picture = report.finding(threads, facts: standstill.facts)
      let chains = AwaitChain.chains(of: standstill.tasks)
      picture.facts += chains.flatMap { $0.facts { "task \($0)" } }
      picture.severity = signal == .quit ? .warning : .note
      let count = threads.count == 1 ? "1 thread was" : "\(threads.count) threads were"
      picture.title = "\(signal.rawValue): what \(count) doing"
      picture.tests = []
      return picture
    }
  }

  private func finding(_ threads: [ThreadSnapshot], facts: [Standstill.Fact]) -> Finding {
    let crowds = Dictionary(grouping: threads, by: Place.init).values
      .sorted { $0[0].thread < $1[0].thread }
    let shown = crowds.flatMap { $0.prefix(Self.alikeShown) }.sorted { $0.thread < $1.thread }
    let objects = threads.compactMap { $0.joins == nil ? $0.waitsFor?.lock : nil }
    let others = facts.flatMap { [$0.object.id] + ($0.statement.other.map { [$0.id] } ?? []) }
    return Finding(
      kind: .hang, status: .observed, severity: .error, title: title(crowds),
      participants: shown.map { $0.participant(role: role(of: $0)) },
      objects: Set(objects + others).sorted().map(known),
      facts: crowds.compactMap(rest) + words(facts) + remainder,
      tests: Set(threads.flatMap(\.tests)).sorted())
  }

  private var remainder: [Finding.Fact] {
    guard standstill.leftOut > 0 else { return [] }
    return [.init("\(standstill.leftOut) more threads or blocks wait that are not shown")]
  }

  // MARK: Words

  private func title(_ crowds: [[ThreadSnapshot]]) -> String {
    let clauses = crowds.prefix(Self.alikeShown).map { crowd in
      crowd.count == 1
        ? "\(crowd[0].displayName) \(waiting(crowd[0]))"
        : "\(crowd.count) threads wait\(waiting(crowd[0]).dropFirst("waits".count))"
    }
    let more = crowds.dropFirst(Self.alikeShown).map(\.count).reduce(0, +)
    return "Hang: " + clauses.joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
  }

  private func rest(of crowd: [ThreadSnapshot]) -> Finding.Fact? {
    let more = crowd.count - Self.alikeShown
    guard more > 0 else { return nil }
    return .init("\(more) more like \(crowd[0].displayName)")
  }

  /// Returns the thread's role: the objects that it holds and others want, and what it waits for.
  private func role(of thread: ThreadSnapshot) -> String {
    let holds = thread.held.filter { wanted.contains($0.lock) }
    let clauses = holds.map { known($0.lock).holding($0.mode) } + [waiting(thread)]
    return clauses.joined(separator: " and ")
  }

  private func waiting(_ thread: ThreadSnapshot) -> String {
    if let joined = thread.joins {
      let other = standstill.threads.first { $0.thread == joined }
      return "waits for the end of \(other?.displayName ?? "thread \(joined)")"
    }
    guard let wanted = thread.waitsFor else { return "runs" }
    return known(wanted.lock).awaiting(wanted.mode)
  }

  /// Returns the facts in words: equal facts as one sentence, and of those that differ only by
  /// their place, the first few.
  private func words(_ facts: [Standstill.Fact]) -> [Finding.Fact] {
    let crowds = Dictionary(grouping: facts, by: Subject.init).sorted { $0.key < $1.key }
      .map(\.value)
    return crowds.flatMap { crowd -> [Finding.Fact] in
      var places: [[Standstill.Fact]] = []
      for fact in crowd {
        if let index = places.firstIndex(where: { $0[0].place == fact.place }) {
          places[index].append(fact)
        } else {
          places.append([fact])
        }
      }
      let more = places.dropFirst(Self.alikeShown).map(\.count).reduce(0, +)
      let rest = more > 0 ? [Finding.Fact("\(more) more like these, elsewhere")] : []
      return places.prefix(Self.alikeShown).map(sentence) + rest
    }
  }

  private func sentence(_ alike: [Standstill.Fact]) -> Finding.Fact {
    let fact = alike[0]
    let name = fact.object.displayName
    let times = alike.count == 1 ? "" : "\(alike.count) times"
    switch fact.statement {
    case .queued(let group):
      let ofGroup = group.map { " of \($0.displayName)" } ?? ""
      let turn =
        alike.count == 1 ? "a block\(ofGroup) waits" : "\(alike.count) blocks\(ofGroup) wait"
      return .init("\(turn) for \(name), submitted", frames: fact.place)
    case .entered:
      return .init(
        "\(name) was entered\(times.isEmpty ? "" : " \(times)") and not left", frames: fact.place)
    case .value(let initial):
      let rest =
        isSignalled(fact.object.id)
        ? "" : ", and was never signalled by a thread that did not hold it"
      return .init("\(name) was made with \(initial) and is at 0\(rest)")
    case .signalled(let thread):
      return .init("\(name) was last signalled by thread \(thread)", frames: fact.place)
    case .passed(let thread):
      return .init(
        "\(name) let thread \(thread) pass\(times.isEmpty ? "" : ", \(times)")",
        frames: fact.place)
    case .dependent(let other):
      return .init("\(name) does not start before \(other.displayName) has finished")
    case .unfinished(let state, let queue):
      return .init("\(name) \(OperationDelay(of: state, in: queue).words)")
    }
  }

  private func isSignalled(_ semaphore: LockID) -> Bool {
    standstill.facts.contains { fact in
      guard case .signalled = fact.statement else { return false }
      return fact.object.id == semaphore
    }
  }

  private func known(_ lock: LockID) -> SharedObject {
    let facts = standstill.facts.flatMap { [$0.object] + ($0.statement.other.map { [$0] } ?? []) }
    return describe(lock) ?? facts.first { $0.id == lock } ?? SharedObject(id: lock, kind: .mutex)
  }
}

extension ThreadSnapshot {
  fileprivate var displayName: String {
    guard let name, !name.isEmpty else { return "thread \(thread)" }
    return "thread \(thread) \"\(name)\""
  }
}

extension Standstill.Fact.Statement {
  /// The second object of the statement.
  var other: SharedObject? {
    switch self {
    case .queued(let group): group
    case .dependent(let other): other
    case .entered, .value, .signalled, .passed, .unfinished: nil
    }
  }

  /// The position of the statement among the facts of one object.
  fileprivate var position: UInt64 {
    switch self {
    case .queued: 0
    case .entered: 1
    case .value: 2
    case .signalled: 3
    case .passed: 4
    case .dependent: 5
    case .unfinished: 6
    }
  }
}

/// The subject of a fact: its object, the kind of its statement and the second object. Facts of one
/// subject differ only by their place.
private struct Subject: Hashable, Comparable {
  let object: LockID
  let statement: UInt64
  let other: LockID?

  init(_ fact: Standstill.Fact) {
    object = fact.object.id
    statement = fact.statement.position
    other = fact.statement.other?.id
  }

  private var rank: [UInt64] { [object.rawValue, statement, other?.rawValue ?? 0] }

  static func < (a: Subject, b: Subject) -> Bool { a.rank.lexicographicallyPrecedes(b.rank) }
}

/// The key by which threads are grouped: the object or thread that they wait for, and their stack.
/// A thread that holds something is in a group of its own.
private struct Place: Hashable {
  let wants: LockID?
  let joins: ThreadID?
  let stack: Backtrace
  let holder: ThreadID?

  init(_ thread: ThreadSnapshot) {
    wants = thread.waitsFor?.lock
    joins = thread.joins
    stack = thread.stack
    holder = thread.held.isEmpty ? nil : thread.thread
  }
}
