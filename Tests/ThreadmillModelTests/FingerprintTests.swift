import Testing
import ThreadmillModel

@Suite struct FingerprintTests {
  private func user(_ function: String, line: Int = 1, address: UInt64 = 1) -> Frame {
    Frame(address: address, function: function, file: "/a/Bank.swift", line: line, image: "app")
  }

  private let system = Frame(
    address: 9, function: "pthread_mutex_lock", image: "libc.so.6", isSystem: true)

  private func participant(
    _ frames: [Frame], holds: [[Frame]] = [], thread: UInt32 = 1
  ) -> Finding.Participant {
    Finding.Participant(
      thread: ThreadID(thread), role: "holds L\(thread) and waits", frames: frames,
      holds: holds.enumerated().map { .init(object: LockID(UInt64($0)), frames: $1) })
  }

  private func finding(
    _ participants: Finding.Participant..., kind: Finding.Kind = .deadlock, title: String = "t"
  ) -> Finding {
    Finding(kind: kind, status: .observed, title: title, participants: participants)
  }

  /// A change of this value orphans every baseline and suppression of users: raise the report's
  /// version with it.
  @Test func theValueStaysWhatItIs() {
    let value = finding(
      participant([system, user("transfer()"), user("test()")], holds: [[user("transfer()")]]),
      participant([user("audit()")], thread: 2)
    ).fingerprint
    #expect(value == "d688d5a4a3e8e65a")
  }

  @Test func itIsSixteenHexadecimalDigits() {
    for kind in Finding.Kind.allCases {
      let value = finding(participant([user("f()")]), kind: kind).fingerprint
      #expect(value.count == 16)
      #expect(value.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    }
  }

  @Test func eachKindHasItsOwn() {
    let values = Finding.Kind.allCases.map { finding(participant([user("f()")]), kind: $0) }
    #expect(Set(values.map(\.fingerprint)).count == Finding.Kind.allCases.count)
  }

  /// Two variables that the same functions race on are two mistakes; their addresses do not count.
  @Test func theRacedVariableCounts() {
    let values = ["1000 is global: sum", "2000 is global: sum", "1000 is global: count"].map {
      var race = finding(participant([user("f()")]), kind: .dataRace)
      race.facts = [.init("the memory at 0x" + $0)]
      return race.fingerprint
    }
    #expect(values[0] == values[1])
    #expect(values[0] != values[2])
  }

  @Test func whatChangesFromRunToRunDoesNotCount() {
    var other = finding(
      participant([user("f()", line: 99, address: 0x7f00), user("g()", line: 3)], thread: 7),
      title: "another title")
    other.status = .confirmed
    other.severity = .note
    other.tests = ["T/x()"]
    other.count = 12
    other.seed = 5
    other.objects = [SharedObject(id: LockID(8), kind: .mutex)]
    other.participants[0].threadName = "worker"
    other.participants[0].frames.insert(system, at: 0)
    #expect(other.fingerprint == finding(participant([user("f()"), user("g()")])).fingerprint)
  }

  @Test func aCycleHasNoFirstThread() {
    let a = participant([user("f()")], thread: 1)
    let b = participant([user("g()")], thread: 2)
    let c = participant([user("h()")], thread: 3)
    let values = [
      finding(a, b, c), finding(b, c, a), finding(c, a, b), finding(c, b, a), finding(a, c, b),
    ]
    #expect(Set(values.map(\.fingerprint)).count == 1)
  }

  @Test func moreThreadsOnTheSameCodeMakeTheSameMistake() {
    let three = finding(
      participant([user("dine()")], thread: 1), participant([user("dine()")], thread: 2),
      participant([user("dine()")], thread: 3))
    let two = finding(
      participant([user("dine()")], thread: 1), participant([user("dine()")], thread: 2))
    #expect(three.fingerprint == two.fingerprint)
  }

  @Test func whereThingsWereTakenCounts() {
    let waitsInG = finding(participant([user("g()")], holds: [[user("f()")]]))
    let waitsInF = finding(participant([user("f()")], holds: [[user("g()")]]))
    let holdsNothing = finding(participant([user("g()")]))
    let values = [waitsInG, waitsInF, holdsNothing].map(\.fingerprint)
    #expect(Set(values).count == 3)
  }

  @Test func textsDoNotRunIntoEachOther() {
    let a = finding(participant([user("ab"), user("c")]))
    let b = finding(participant([user("a"), user("bc")]))
    #expect(a.fingerprint != b.fingerprint)
  }

  @Test func onlyTheInnermostFramesCountAndRecursionCountsOnce() {
    let stack = ["lock()", "transfer()", "transferAll()"].map { user($0) }
    let short = finding(participant(stack))
    let fromAnotherTest = finding(participant(stack + [user("test()")]))
    let deep = finding(participant([stack[0]] + Array(repeating: stack[1], count: 9) + [stack[2]]))
    let elsewhere = finding(participant([stack[0], stack[1], user("other()")]))
    #expect(short.fingerprint == fromAnotherTest.fingerprint)
    #expect(short.fingerprint == deep.fingerprint)
    #expect(short.fingerprint != elsewhere.fingerprint)
  }

  /// A hang of tasks has no thread.
  @Test func withoutAThreadThePlacesOfFactsCount() {
    func hang(at function: String) -> Finding {
      var hang = finding(kind: .hang)
      hang.facts = [.init("continuation L1 was made", frames: [system, user(function)])]
      return hang
    }
    #expect(hang(at: "f()").fingerprint != hang(at: "g()").fingerprint)
  }

  /// The title of a failed expectation has its line, and values of one schedule: a comment above it
  /// must not make another finding of it.
  @Test func linesAndValuesOfAnExpectationDoNotCount() {
    func failure(_ words: String, line: Int, in test: String = "sums()") -> Finding {
      Finding(
        kind: .assertionFailure, status: .observed,
        title: "In one order the body fails: Bank.swift:\(line): \(words)",
        facts: [.init("it failed", frames: [Frame(address: 0, file: "Bank.swift", line: line)])],
        tests: [test])
    }
    let one = failure("(sum → 90) == 100", line: 7).fingerprint
    #expect(failure("(sum → 80) == 100", line: 12).fingerprint == one)
    #expect(failure("(rest → 90) == 100", line: 7).fingerprint != one)
    #expect(failure("(sum → 90) == 100", line: 7, in: "rests()").fingerprint != one)
  }

  @Test func imageAndOffsetStandInForAFunction() {
    func frame(_ address: UInt64, _ offset: UInt64) -> Frame {
      Frame(address: address, image: "plugin.so", offset: offset)
    }
    let value = finding(participant([frame(0x5000, 0x10)])).fingerprint
    #expect(value == finding(participant([frame(0x9000, 0x10)])).fingerprint)
    #expect(value != finding(participant([frame(0x5000, 0x20)])).fingerprint)
  }

  @Test func withoutUserFramesTitleAndObjectKindsStandIn() {
    func finding(_ title: String, _ kinds: SharedObject.Kind...) -> Finding {
      Finding(
        kind: .deadlock, status: .observed, title: title,
        participants: [participant([system])],
        objects: kinds.enumerated().map { SharedObject(id: LockID(UInt64($0)), kind: $1) })
    }
    let value = finding("T1 waits for L2 at 0x7f12", .mutex, .serialQueue).fingerprint
    #expect(value == finding("T8 waits for L40 at 0xab", .serialQueue, .mutex).fingerprint)
    #expect(value != finding("T1 waits for L2 at 0x7f12", .mutex, .mutex).fingerprint)
    #expect(value != finding("T1 joins L2 at 0x7f12", .mutex, .serialQueue).fingerprint)
  }

  @Test(arguments: [
    ("L1 and L22 (T3), S4.", "L and L (T), S."),
    ("L and TL1 and L1x and \"L1\"", "L and TL1 and L1x and \"L\""),
    ("at 0xDEADbeef, 12 times", "at 0x, 12 times"),
    ("  two  spaces ", "  two  spaces "),
    ("é🧵 L1🧵", "é🧵 L🧵"),
    ("", ""),
  ])
  func titlesLoseInstanceNumbers(title: String, rest: String) {
    #expect(Finding.withoutInstances(title) == rest)
  }
}
