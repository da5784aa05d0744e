import Testing
import ThreadmillModel

@Suite struct DurationHistogramTests {
  @Test func bucketsFollowEachOtherWithoutAGap() {
    var first = 0
    for bucket in 0..<DurationHistogram.bucketCount {
      let last = DurationHistogram.bound(of: bucket)
      #expect(DurationHistogram.bucket(of: first) == bucket)
      #expect(DurationHistogram.bucket(of: last) == bucket)
      #expect((last - first) * 4 < max(first, 1))
      first = last + 1
    }
    #expect(DurationHistogram.bucket(of: .max) == DurationHistogram.bucketCount - 1)
    #expect(DurationHistogram.bucket(of: -1) == 0)
  }

  /// Against sorting. No chance of a wrong failure: the bounds hold for every input.
  @Test func percentilesAreExactOrAQuarterAbove() {
    let seed: UInt64 = 20_261_121
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let samples = (0..<Int.random(in: 1...200, using: &generator)).map { _ in
        Int.random(in: 0...(1 << Int.random(in: 0...40, using: &generator)), using: &generator)
      }
      var histogram = DurationHistogram()
      for sample in samples { histogram.add(sample) }
      let sorted = samples.sorted()
      #expect(histogram.count == samples.count)
      #expect(histogram.total == samples.reduce(0, +))
      #expect(histogram.longest == sorted.last)
      for percent in [1, 50, 99, 100] {
        let exact = sorted[(samples.count * percent + 99) / 100 - 1]
        let found = histogram.percentile(percent)
        #expect(found >= exact)
        #expect(found <= exact + exact / 4)
      }
    }
  }

  @Test func ofNothingEverythingIsZero() {
    let nothing = DurationHistogram()
    #expect(nothing.percentile(50) == 0)
    #expect(nothing.longest == 0)
    #expect(nothing.count == 0)
  }

  @Test func mergingIsCountingAll() {
    let seed: UInt64 = 20_261_122
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var (a, b, both) = (DurationHistogram(), DurationHistogram(), DurationHistogram())
      for _ in 0..<Int.random(in: 0...50, using: &generator) {
        let sample = Int.random(in: 0...1_000_000, using: &generator)
        if Bool.random(using: &generator) { a.add(sample) } else { b.add(sample) }
        both.add(sample)
      }
      #expect(a.merged(with: b) == both)
      #expect(b.merged(with: a) == both)
    }
  }

  @Test func sumsStopAtTheirLimit() {
    let full = DurationHistogram(counts: [.max], total: .max, longest: 0)
    #expect(full.merged(with: full) == full)
    #expect(full.percentile(99) == 0)
  }
}

@Suite struct ContentionProfileTests {
  private func lockClass(
    _ functions: String..., label: String? = nil, mode: HoldMode = .exclusive, waits: [Int],
    holds: [Int], holder: String
  ) -> ContentionProfile.LockClass {
    var (wait, hold) = (DurationHistogram(), DurationHistogram())
    for sample in waits { wait.add(sample) }
    for sample in holds { hold.add(sample) }
    let system = Frame(address: 7, function: "pthread_mutex_init", isSystem: true)
    return ContentionProfile.LockClass(
      kind: .mutex, mode: mode, label: label,
      place: [system] + functions.map { Frame(address: 1, function: $0) },
      acquisitions: waits.count, contended: waits.count { $0 > 0 }, wait: wait, hold: hold,
      longestHolder: [Frame(address: 2, function: holder)])
  }

  private func report(_ classes: ContentionProfile.LockClass...) -> Report {
    Report(findings: [], run: .init(id: "r"), profile: ContentionProfile(classes: classes))
  }

  @Test func oneClassOfTwoProcessesBecomesOne() throws {
    var elsewhere = lockClass("Bank.init()", waits: [30], holds: [200], holder: "slow()")
    elsewhere.place[1].address = 99
    let a = report(lockClass("Bank.init()", waits: [0, 10], holds: [100, 5], holder: "fast()"))
    let merged = try #require(a.merged(with: report(elsewhere)).profile)
    #expect(
      merged.classes == [
        lockClass("Bank.init()", waits: [0, 10, 30], holds: [100, 5, 200], holder: "slow()")
      ])
  }

  @Test func aReportWithoutOneAddsNothing() {
    let a = report(lockClass("Bank.init()", waits: [1], holds: [1], holder: "f()"))
    let plain = Report(findings: [], run: .init(id: "r"))
    #expect(a.merged(with: plain).profile == a.profile)
    #expect(plain.merged(with: a).profile == a.profile)
    #expect(plain.merged(with: plain).profile == nil)
  }

  @Test func whatTellsClassesApart() {
    let same = lockClass("a", "b", "c", waits: [1], holds: [1], holder: "f()")
    let others = [
      lockClass("a", "b", "c", label: "disk", waits: [1], holds: [1], holder: "f()"),
      lockClass("a", "b", "c", mode: .shared, waits: [1], holds: [1], holder: "f()"),
      lockClass("a", "b", "d", waits: [1], holds: [1], holder: "f()"),
      lockClass("x", "b", "c", waits: [1], holds: [1], holder: "f()"),
    ]
    let outer = lockClass("a", "b", "c", "test", waits: [1], holds: [1], holder: "f()")
    #expect(ContentionProfile(classes: [same, outer]).classes.count == 1)
    #expect(ContentionProfile(classes: [same] + others).classes.count == 5)
  }

  @Test func theLongestWaitedForComesFirst() {
    let profile = ContentionProfile(classes: [
      lockClass("a", waits: [1, 2], holds: [1], holder: "f()"),
      lockClass("b", waits: [50], holds: [1], holder: "f()"),
      lockClass("c", waits: [3], holds: [9], holder: "f()"),
    ])
    #expect(profile.classes.map { $0.place.last?.function } == ["b", "c", "a"])
  }
}
