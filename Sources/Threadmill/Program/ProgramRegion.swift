#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime
  import ThreadmillScheduling

  /// Memory that the process of a schedule shares with the process that explores. The choices of
  /// the schedule and the facts about its end stay there, however the process ends.
  ///
  /// The process of the schedule writes. The process that explores reads when the other has ended.
  struct ProgramRegion: @unchecked Sendable {
    private let memory: UnsafeMutableRawPointer

    /// The way in which the schedule ended.
    enum End: UInt64 {
      /// It has not begun.
      case unbegun
      /// The body of a test has begun. If it stays so, the process has ended inside the body.
      case begun
      /// The program, or the body, ended by itself.
      case none
      /// The director ended it.
      case over, long, stuck, full, unseated, outside
      /// It had more steps than there is room for.
      case crowded
      /// The body of the test explores by itself.
      case nested
      /// The body makes claims, which are not looked at in a process of one schedule.
      case claiming
    }

    /// The offset of each number.
    private enum Field: Int {
      case end = 0
      case unfinished = 8
      case passed = 16
      case seconds = 24
      case told = 32
      case message = 40
      case log = 48
      case findings = 56
      case last = 64
    }

    private static let messageStart = 4_096
    private static let logStart = 1 << 16
    /// Addresses alone: what is not written takes no memory.
    private static let size = 1 << 28
    private static let findingsStart = size - (1 << 22)
    /// With a longer log, its memory is given back.
    private static let longLog = 1 << 24
    /// The number of offers, the one that was running, and the answer.
    private static let entryHeader = 16
    private static let answerOffset = 8
    /// In the place of the number of offers.
    private static let pickMark = UInt32.max

    /// `nil` if there is no memory.
    init?() {
      let flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE
      let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, flags, -1, 0)
      guard let memory, memory != MAP_FAILED else { return nil }
      self.memory = memory
    }

    /// Gives the memory back.
    func release() { munmap(memory, Self.size) }

    private subscript(_ field: Field) -> UInt64 {
      get { memory.load(fromByteOffset: field.rawValue, as: UInt64.self) }
      nonmutating set {
        memory.storeBytes(of: newValue, toByteOffset: field.rawValue, as: UInt64.self)
      }
    }

    /// Before a schedule.
    func clear() {
      if self[.log] > Self.longLog {
        madvise(memory + Self.logStart, Int(self[.log]), Int32(MADV_REMOVE))
      }
      memset(memory, 0, Self.messageStart)
    }

    var end: End {
      get { End(rawValue: self[.end]) ?? .unbegun }
      nonmutating set { self[.end] = newValue.rawValue }
    }
    /// Threads and blocks that can never go on.
    var unfinished: Int {
      get { Int(self[.unfinished]) }
      nonmutating set { self[.unfinished] = UInt64(newValue) }
    }
    /// Operations that were not under control.
    var passed: Int {
      get { Int(self[.passed]) }
      nonmutating set { self[.passed] = UInt64(newValue) }
    }
    /// Without a step, where the schedule got stuck.
    var seconds: Int {
      get { Int(self[.seconds]) }
      nonmutating set { self[.seconds] = UInt64(newValue) }
    }
    /// Whether the process has told the failure: in a report, or as a finding here.
    var isTold: Bool {
      get { self[.told] != 0 }
      nonmutating set { self[.told] = newValue ? 1 : 0 }
    }

    /// Words about the end. What is too long is cut off.
    var message: [String] {
      get {
        let start = UnsafeRawPointer(memory + Self.messageStart)
        let count = Int(min(self[.message], UInt64(Self.logStart - Self.messageStart)))
        let bytes = UnsafeRawBufferPointer(start: start, count: count)
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      }
      nonmutating set {
        var bytes: [UInt8] = []
        for word in newValue { bytes += Array(word.utf8) + [0] }
        bytes = Array(bytes.prefix(Self.logStart - Self.messageStart))
        (memory + Self.messageStart).copyMemory(from: bytes, byteCount: bytes.count)
        self[.message] = UInt64(bytes.count)
      }
    }

    /// Why the schedule failed, as far as the process could say, in place of ``message``.
    var causes: [Exploration.Failure.Cause] {
      get { message.compactMap { Exploration.Failure.Cause(word: $0) } }
      nonmutating set { message = newValue.compactMap(\.word) }
    }

    /// Notes why the body cannot be explored.
    func refuse(_ refusal: ExplorationError) {
      switch refusal {
      case .tooManyStrands: end = .full
      case .noThread: end = .unseated
      case .waitsOutside(let place): (end, message) = (.outside, [place ?? ""])
      default: end = .crowded
      }
    }

    /// The failure as the process tells it. Before the last step, it is only the story of the
    /// steps. A process that tells no failure has its remarks here.
    var findings: [Finding] {
      get {
        let length = Int(min(self[.findings], UInt64(Self.size - Self.findingsStart)))
        guard length > 0 else { return [] }
        let bytes = UnsafeRawBufferPointer(start: memory + Self.findingsStart, count: length)
        return (try? JSONReport.report(from: Array(bytes)).findings) ?? []
      }
      nonmutating set {
        let run = Report.Run(id: "", processes: 0)
        let bytes = JSONReport.bytes(of: Report(findings: newValue, run: run))
        guard !newValue.isEmpty, bytes.count <= Self.size - Self.findingsStart else { return }
        (memory + Self.findingsStart).copyMemory(from: bytes, byteCount: bytes.count)
        self[.findings] = UInt64(bytes.count)
      }
    }

    /// The steps of the schedule, told before the last of them is made; `nil` if they were not.
    var story: ScheduleStory? {
      get { findings.first?.story }
      nonmutating set {
        var unfinished = Finding(kind: .hang, status: .observed, title: "")
        unfinished.story = newValue
        findings = [unfinished]
      }
    }

    /// Notes a question before it is answered. Returns `false` if there is no room for it.
    func append(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Bool {
      let length = enabled.count * MemoryLayout<Offer>.stride
      guard let offers = enabled.baseAddress,
        let place = append(UInt32(enabled.count), Int32(running ?? -1), length)
      else { return false }
      (place + Self.entryHeader).copyMemory(from: offers, byteCount: length)
      return true
    }

    /// Notes that the access of the last step can take place in so many ways. Returns `false` if
    /// there is no room for it.
    func append(pickAmong count: Int) -> Bool {
      append(Self.pickMark, Int32(clamping: count), 0) != nil
    }

    private func append(
      _ mark: UInt32, _ number: Int32, _ length: Int
    ) -> UnsafeMutableRawPointer? {
      let used = Int(self[.log])
      let needed = Self.entryHeader + length
      guard Self.logStart + used + needed <= Self.findingsStart else { return nil }
      let place = memory + Self.logStart + used
      place.storeBytes(of: mark, as: UInt32.self)
      place.storeBytes(of: number, toByteOffset: 4, as: Int32.self)
      place.storeBytes(of: -1, toByteOffset: Self.answerOffset, as: Int32.self)
      (self[.last], self[.log]) = (UInt64(used), UInt64(used + needed))
      return place
    }

    /// Notes the answer to the last question, before anything comes of it.
    func answer(_ choice: Int) {
      let place = memory + Self.logStart + Int(self[.last])
      place.storeBytes(of: Int32(choice), toByteOffset: Self.answerOffset, as: Int32.self)
    }

    /// A question that the strategy was asked.
    enum Question {
      case next(UnsafeBufferPointer<Offer>, running: Int?)
      case pick(among: Int)
    }

    /// The questions that the strategy of the process was asked, in order, with its answers; `nil`
    /// if the process ended before the answer.
    ///
    /// - Parameter visit: returns whether to go on.
    func eachQuestion(_ visit: (Question, _ answer: Int?) -> Bool) {
      let stride = MemoryLayout<Offer>.stride
      var place = UnsafeRawPointer(memory + Self.logStart)
      let end = place + Int(self[.log])
      while place < end {
        let mark = place.load(as: UInt32.self)
        let number = Int(place.load(fromByteOffset: 4, as: Int32.self))
        let given = Int(place.load(fromByteOffset: Self.answerOffset, as: Int32.self))
        let answer = given < 0 ? nil : given
        place += Self.entryHeader
        if mark == Self.pickMark {
          if !visit(.pick(among: number), answer) { return }
          continue
        }
        let offers = place.assumingMemoryBound(to: Offer.self)
        let enabled = UnsafeBufferPointer(start: offers, count: Int(mark))
        if !visit(.next(enabled, running: number < 0 ? nil : number), answer) { return }
        place += Int(mark) * stride
      }
    }
  }

  /// A strategy in the process of a schedule. It notes its choices for the process that explores,
  /// which then has its own copy of the strategy make them again, and learn.
  struct NotedStrategy<Choice: Strategy>: Strategy {
    private var choice: Choice
    private let region: ProgramRegion
    /// The process has one schedule, which has begun.
    private var isUsed = false

    init(_ choice: Choice, in region: ProgramRegion) {
      (self.choice, self.region) = (choice, region)
    }

    var repeatsSchedule: Bool { choice.repeatsSchedule }

    mutating func begin(schedule number: Int) -> Bool {
      defer { isUsed = true }
      return !isUsed
    }

    mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
      if !region.append(enabled, running: running) {
        region.end = .crowded
        Gate.end(status: 0)
      }
      let chosen = choice.next(enabled, running: running)
      region.answer(chosen)
      return chosen
    }

    mutating func pick(_ count: Int) -> Int {
      if !region.append(pickAmong: count) {
        region.end = .crowded
        Gate.end(status: 0)
      }
      let chosen = choice.pick(count)
      region.answer(chosen)
      return chosen
    }

    mutating func ended(_ outcome: ScheduleOutcome) {}
  }
#endif
