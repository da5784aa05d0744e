import Testing
import ThreadmillModel

/// Steps in memory that outlives the process.
@Suite struct ScheduleTrailTests {
  private static let steps: [(Offer, Bool)] = [
    (Offer(strand: 0, .begin, object: 0), false),
    (Offer(strand: 1, .lock, object: 3), true),
    (Offer(strand: 1, .share, object: 1 << 40, writes: false), false),
    (Offer(strand: 0, .unlock, object: 2), false),
    (Offer(strand: 70_000, .other, object: 9), true),
  ]

  /// Runs `body` with an empty trail.
  private func withTrail<R>(_ body: (ScheduleTrail, UnsafeRawBufferPointer) throws -> R) rethrows
    -> R
  {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: ScheduleTrail.size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    defer { memory.deallocate() }
    return try body(ScheduleTrail(in: memory.baseAddress!), UnsafeRawBufferPointer(memory))
  }

  private static var recorded: Schedule {
    var recorder = ScheduleRecorder()
    for (step, isForced) in steps { recorder.append(step, isForced: isForced) }
    recorder.pick(63)
    return recorder.schedule
  }

  private static func write(to trail: ScheduleTrail) {
    for (step, isForced) in steps { trail.append(step, isForced: isForced) }
    trail.pick(63)
  }

  @Test func whatWasWrittenIsTheSchedule() {
    withTrail { trail, bytes in
      Self.write(to: trail)
      #expect(trail.schedule == Self.recorded)
      #expect(ScheduleTrail.schedule(in: bytes) == Self.recorded)
    }
  }

  /// A run begins anew, also behind one that was cut short.
  @Test func aRunHasItsNumber() {
    withTrail { trail, bytes in
      trail.begin(run: 6)
      trail.append(Self.steps[0].0, isForced: false)
      trail.begin(run: 7)
      #expect(LostSchedule(in: bytes) == nil)
      Self.write(to: trail)
      let lost = LostSchedule(Self.recorded, number: 7)
      #expect(LostSchedule(in: bytes) == lost)
      let lines = lost.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(LostSchedule(parsing: lines.map(String.init)) == lost)
      #expect(LostSchedule(parsing: ["seven", "tm1:", ""]) == nil)
    }
  }

  @Test func betweenRunsThereIsNone() {
    withTrail { trail, bytes in
      #expect(ScheduleTrail.schedule(in: bytes) == nil)
      trail.append(Self.steps[0].0, isForced: false)
      trail.clear()
      #expect(trail.schedule == nil)
      Self.write(to: trail)
      #expect(trail.schedule == Self.recorded)
    }
  }

  @Test func whatIsNoTrailHasNone() {
    #expect(ScheduleTrail.schedule(in: UnsafeRawBufferPointer(start: nil, count: 0)) == nil)
    withTrail { trail, bytes in
      for (step, isForced) in Self.steps { trail.append(step, isForced: isForced) }
      let cut = UnsafeRawBufferPointer(rebasing: bytes[..<(16 + 16 * 4)])
      #expect(ScheduleTrail.schedule(in: cut) == nil)
    }
  }

  @Test func ofARunThatIsTooLongThereIsNone() {
    withTrail { trail, bytes in
      let step = Offer(strand: 1, .yield)
      for _ in 0..<ScheduleTrail.mostSteps { trail.append(step, isForced: false) }
      #expect(trail.schedule?.steps == ScheduleTrail.mostSteps)
      trail.append(step, isForced: false)
      #expect(ScheduleTrail.schedule(in: bytes) == nil)
    }
  }
}
