import ThreadmillModel
import ThreadmillReporting

/// What threads did, as Chrome's trace events, which Perfetto shows: a lane for each thread, with
/// what it held, waited for and ran, arrows from submissions, and a mark where something was found.
///
/// Where nobody recorded the run, each finding is drawn as a process of its own, in which a
/// millisecond is a step, not a time.
package struct ChromeTrace {
  private let text: TextReport
  private var events: [JSON] = []

  package static func bytes(of report: Report, _ context: ReportContext) -> [UInt8] {
    var trace = ChromeTrace(text: TextReport(folder: context.folder))
    if let recordings = report.trace?.recordings {
      let start = recordings.compactMap { $0.events.first?.at }.min() ?? 0
      for (index, recording) in recordings.enumerated() {
        trace.add(recording, process: index + 1, start: start)
      }
    } else {
      let shown = report.findings.filter { $0.status != .filtered }
      for (index, finding) in shown.enumerated() { trace.add(finding, process: index + 1) }
    }
    return JSON.object([
      .init("displayTimeUnit", .string("ns")), .init("traceEvents", .array(trace.events)),
    ]).bytes
  }

  private init(text: TextReport) { self.text = text }

  // MARK: A recording

  private mutating func add(_ recording: Trace.Recording, process: Int, start: UInt64) {
    name(process, "process \(recording.process)")
    let names = Dictionary(recording.threads.map { ($0.thread, $0.name) }) { first, _ in first }
    var lanes: [ThreadID: Lanes] = [:]
    for event in recording.events.sorted(by: Self.isShownBefore) {
      let at = event.at - min(event.at, start)
      let slice = Slice(event, at: at, name: words(event, recording))
      let lane =
        slice.isMoment ? 0 : lanes[event.thread, default: Lanes()].lane(at, at + slice.lasted)
      let thread = Self.number(event.thread, lane: lane)
      events += slice.json(process, thread)
    }
    let threads = Set(recording.events.map(\.thread)).sorted()
    for thread in threads {
      let name = "\(thread)" + (names[thread].map { " \"\($0)\"" } ?? "")
      for lane in 0..<max(1, lanes[thread]?.count ?? 1) {
        self.name(process, Self.number(thread, lane: lane), lane == 0 ? name : "\(name), beside")
      }
    }
  }

  /// Orders events that begin at the same time: the outer one first.
  private static func isShownBefore(_ a: Trace.Event, _ b: Trace.Event) -> Bool {
    (a.at, b.lasted) < (b.at, a.lasted)
  }

  /// Holds need not nest as viewers want it: what overlaps goes to a lane beside.
  private static func number(_ thread: ThreadID, lane: Int) -> Int {
    Int(thread.rawValue) * 16 + min(lane, 15)
  }

  private func words(_ event: Trace.Event, _ recording: Trace.Recording) -> String {
    let lock = event.lock.map { Self.name(recording.locks[$0], place) } ?? "lock"
    let maker = event.place.flatMap { recording.places[$0].firstUserFrame }
    let from = maker.map { " from \($0.name)" } ?? ""
    return switch event.what {
    case .hold: "holds \(lock)"
    case .wait: "waits for \(lock)"
    case .block: "block" + (event.label.map { " on \"\($0)\"" } ?? "") + from
    case .job: "job of a task" + from
    case .submission: "submits"
    case .finding: event.label ?? "finding"
    }
  }

  private static func name(
    _ one: LockGraph.LockClass, _ place: (Backtrace) -> String?
  ) -> String {
    let label = one.label.map { " \"\($0)\"" } ?? ""
    return one.kind.noun + label + (place(one.place).map { " of \($0)" } ?? "")
  }

  private func place(_ stack: Backtrace) -> String? {
    stack.first { !$0.isSystem && $0.line != nil }.flatMap(text.place(of:))
  }

  // MARK: A finding

  private static let step: UInt64 = 1_000_000

  private mutating func add(_ finding: Finding, process: Int) {
    let names = FindingNames(finding, finding.participants, text)
    let last = UInt64(finding.participants.map(\.holds.count).max() ?? 0) * Self.step
    name(process, finding.title)
    for (index, participant) in finding.participants.enumerated() {
      name(process, index + 1, names.name(of: index))
      for (order, held) in participant.holds.enumerated() {
        let at = UInt64(order) * Self.step
        events += Slice(
          at: at, lasted: last + Self.step - at, name: "holds \(names.name(held.object))"
        ).json(process, index + 1)
      }
      let words = participant.wants.map { "waits for \(names.name($0))" } ?? participant.role
      events += Slice(at: last, lasted: Self.step, name: words).json(process, index + 1)
    }
    if !finding.participants.isEmpty {
      events += Slice(at: last, name: finding.title).json(process, 1)
    }
  }

  // MARK: Names

  private mutating func name(_ process: Int, _ name: String) {
    events.append(Self.metadata("process_name", process, 0, name))
  }

  private mutating func name(_ process: Int, _ thread: Int, _ name: String) {
    events.append(Self.metadata("thread_name", process, thread, name))
  }

  private static func metadata(_ what: String, _ process: Int, _ thread: Int, _ name: String)
    -> JSON
  {
    .object([
      .init("ph", .string("M")), .init("name", .string(what)), .init("pid", .integer(process)),
      .init("tid", .integer(thread)), .init("args", .object([.init("name", .string(name))])),
    ])
  }
}

/// Which lanes of a thread are taken until when.
private struct Lanes {
  /// For each lane the ends of what is open, the outermost first.
  private var ends: [[UInt64]] = []

  var count: Int { ends.count }

  /// The first lane in which this nests; intervals come by their beginning.
  mutating func lane(_ start: UInt64, _ end: UInt64) -> Int {
    for lane in ends.indices {
      ends[lane].removeAll { $0 <= start }
      guard end <= ends[lane].last ?? .max else { continue }
      ends[lane].append(end)
      return lane
    }
    ends.append([end])
    return ends.count - 1
  }
}

/// One event of a trace, of its own length or none.
private struct Slice {
  var at: UInt64
  var lasted: UInt64 = 0
  var name: String
  var what = Trace.Event.What.hold
  var flow: UInt64?
  var isOpen = false
  var isMoment = false

  init(at: UInt64, lasted: UInt64, name: String) {
    self.at = at
    self.lasted = lasted
    self.name = name
  }

  init(at: UInt64, name: String) {
    self.init(at: at, lasted: 0, name: name)
    what = .finding
    isMoment = true
  }

  init(_ event: Trace.Event, at: UInt64, name: String) {
    self.init(at: at, lasted: event.lasted, name: name)
    what = event.what
    flow = event.flow
    isOpen = event.isOpen
    isMoment = what == .finding
    // Viewers draw arrows from slices only.
    if what == .submission { lasted = max(lasted, 1) }
  }

  /// The event, and the end of an arrow that it is.
  func json(_ process: Int, _ thread: Int) -> [JSON] {
    var members = place(isMoment ? "i" : "X", process, thread)
    members.append(.init("name", .string(name)))
    if !isMoment { members.append(.init("dur", Self.microseconds(lasted))) }
    if isMoment { members.append(.init("s", .string("p"))) }
    if isOpen { members.append(.init("args", .object([.init("ended", .boolean(false))]))) }
    return [.object(members)] + arrow(process, thread)
  }

  private func arrow(_ process: Int, _ thread: Int) -> [JSON] {
    guard let flow else { return [] }
    var members = place(what == .submission ? "s" : "f", process, thread)
    members.append(.init("name", .string("submission")))
    members.append(.init("id", .string("\(process).\(flow)")))
    if what != .submission { members.append(.init("bp", .string("e"))) }
    return [.object(members)]
  }

  private func place(_ phase: String, _ process: Int, _ thread: Int) -> [JSON.Member] {
    [
      .init("ph", .string(phase)), .init("cat", .string(what.rawValue)),
      .init("ts", Self.microseconds(at)), .init("pid", .integer(process)),
      .init("tid", .integer(thread)),
    ]
  }

  private static func microseconds(_ nanoseconds: UInt64) -> JSON {
    .decimal(Double(nanoseconds) / 1_000, places: 3)
  }
}
