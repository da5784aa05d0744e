import ThreadmillDetection
import ThreadmillModel

/// A graph, and short words to feed it. Every strand has its own thread and clock slot, all with
/// its number.
struct Scene {
  var graph: LockOrderGraph

  init(_ objects: [SharedObject], limits: LockOrderLimits = LockOrderLimits()) {
    graph = LockOrderGraph(limits: limits)
    for object in objects { graph.declare(object) }
  }

  /// Mutexes with the numbers from 1, none of which was created by a call.
  init(mutexes: Int, limits: LockOrderLimits = LockOrderLimits()) {
    self.init((1...mutexes).map { .mutex($0) }, limits: limits)
  }

  /// A strand that holds something takes something else.
  ///
  /// - Parameter knows: the time of other strands that is over for this one.
  mutating func strand(
    _ strand: Int, time: UInt32 = 1, knows: [Int: UInt32] = [:], holds: [Hold], takes: Hold,
    stack: [UInt64] = [], tests: [String] = []
  ) -> [LockOrderGraph.Verdict] {
    defer { graph.checkInvariants() }
    let slots = (knows.keys.max() ?? -1) + 1
    let moment = Moment(
      strand: StrandID(UInt64(strand)), slot: strand, time: time,
      knowledge: (0..<slots).map { knows[$0, default: 0] })
    return graph.nested(
      NestedAcquisition(
        thread: ThreadID(UInt32(strand)), moment: moment, held: holds, wanted: takes,
        stack: stack.map { Frame(address: $0) }, tests: tests))
  }
}

extension SharedObject {
  static func mutex(_ id: UInt64, created: [UInt64] = []) -> SharedObject {
    SharedObject(id: LockID(id), kind: .mutex, created: created.map { Frame(address: $0) })
  }

  static func mutex(_ id: Int) -> SharedObject { mutex(UInt64(id)) }

  static func readWriteLock(_ id: UInt64) -> SharedObject {
    SharedObject(id: LockID(id), kind: .readWriteLock)
  }

  static func queue(_ id: UInt64, _ label: String) -> SharedObject {
    SharedObject(id: LockID(id), kind: .serialQueue, label: label)
  }
}

extension Hold {
  static func lock(_ id: UInt64, _ mode: HoldMode = .exclusive, at site: [UInt64] = []) -> Hold {
    Hold(lock: LockID(id), mode: mode, site: site.map { Frame(address: $0) })
  }
}

extension [LockOrderGraph.Verdict] {
  var findings: [Finding] {
    compactMap { if case .finding(let finding) = $0 { finding } else { nil } }
  }

  /// The locks of the cycles that were found.
  var cycles: [[UInt64]] { findings.map { $0.objects.map(\.id.rawValue) } }

  /// Of cycles that one thread made alone.
  var notes: [Finding] { compactMap { if case .note(let note) = $0 { note } else { nil } } }

  var watched: [[UInt64]] {
    compactMap { if case .watch(let locks) = $0 { locks.map(\.rawValue) } else { nil } }
  }
}

extension NestedAcquisition {
  /// Without stacks, by a strand that knows of no other.
  static func simple(
    strand: Int, time: UInt32, _ held: LockID, _ wanted: LockID
  ) -> NestedAcquisition {
    NestedAcquisition(
      thread: ThreadID(UInt32(strand)),
      moment: Moment(strand: StrandID(UInt64(strand)), slot: strand, time: time, knowledge: []),
      held: [Hold(lock: held)], wanted: Hold(lock: wanted))
  }
}
