import ThreadmillModel

extension Samples {
  static func finding(_ kind: Finding.Kind) -> Finding {
    var finding = Finding(kind: kind, status: .observed, title: title(of: kind))
    finding.tests = ["BankTests/opposite()"]
    switch kind {
    case .lockOrderCycle, .deadlock, .lockAcrossSuspension, .priorityInversion:
      finding.participants = cycle()
      finding.objects = [first, second]
    case .dataRace:
      finding.participants = pair("writes 8 bytes", "read 8 bytes")
      finding.facts = [
        .init(
          "the memory at 0x1018 is at offset 24 of a block of 48 bytes, allocated by T4",
          frames: [audit]),
        .init("T4 held mutex L1"),
      ]
      finding.objects = [first]
    case .lateWrite, .confinementViolation:
      finding.participants = pair("writes Account.balance", "reads Account.balance")
    case .selfDeadlock, .queueReentry:
      finding.participants = alone("holds L1 and takes it again")
      finding.participants[0].holds = [.init(object: LockID(1), frames: [transfer])]
      finding.participants[0].wants = LockID(1)
      finding.objects = [first]
    case .hang, .poolStarvation, .blockedMainQueue:
      finding.participants = alone("waits for L3", Array(repeating: libraryLock, count: 7) + worker)
      finding.objects = [third, fourth]
    case .unbalancedGroup, .operationCycle, .operationMisuse, .semaphoreMisuse, .continuationMisuse,
      .queueMisuse, .lockMisuse:
      finding.participants = alone("leaves once more than it entered")
    case .assertionFailure, .crash:
      finding.participants = alone("fails", [])
    }
    return decorated(finding)
  }

  /// Every field of a finding is in one golden text at least.
  private static func decorated(_ finding: Finding) -> Finding {
    var finding = finding
    switch finding.kind {
    case .lockOrderCycle:
      finding.status = .potential
      finding.tests = ["BankTests/audit()", "BankTests/opposite()"]
      finding.count = 3
    case .dataRace, .assertionFailure:
      finding.status = .confirmed
      finding.seed = 42
      finding.schedule = "tm1:3.1.4.1.5"
      if finding.kind == .assertionFailure { finding.story = story }
    case .priorityInversion, .lockAcrossSuspension: finding.severity = .warning
    case .operationMisuse:
      finding.severity = .note
      finding.isSingleThreaded = true
    case .operationCycle:
      finding.status = .filtered
      finding.reason = "one thread alone made it"
    case .continuationMisuse: finding.story = awaitingStory
    case .crash: finding.tests = []
    case .hang:
      finding.story = endlessStory
      finding.facts = [
        .init("a block of group L3 waits for serial queue \"audit\", submitted", frames: [audit]),
        .init("2 more like thread T1"),
      ]
    default: break
    }
    return finding
  }

  /// A cycle that was tried out, with a deadlock or in vain.
  static func tried(reached: Bool) -> Finding {
    var tried = finding(.lockOrderCycle)
    tried.confirmation =
      reached
      ? .init(tries: 3, test: "Bank.Suite/pays()", deadlock: cycle()) : .init(tries: 20)
    if reached {
      tried.status = .confirmed
      tried.seed = 42
    }
    return tried
  }

  private static func title(of kind: Finding.Kind) -> String {
    switch kind {
    case .dataRace:
      "Data race: T3 writes 8 bytes that T4 read, and nothing orders the two"
    case .lockOrderCycle: "L1 and L12 are taken in opposite orders"
    case .deadlock: "T3 and T14 wait for each other"
    case .selfDeadlock: "T1 takes L1, which it already holds"
    case .queueReentry: "T1 enters queue L1 from within"
    case .priorityInversion: "T3 (user-interactive) waits for T14 (background)"
    case .poolStarvation: "All 2 threads of the pool are blocked"
    case .blockedMainQueue: "The main queue waits for work that waits for it"
    case .unbalancedGroup: "A group is left more often than entered"
    case .operationCycle: "Two operations depend on each other"
    case .operationMisuse: "An operation got a dependency after it was queued"
    case .semaphoreMisuse: "A semaphore goes away while T3 waits for it"
    case .queueMisuse: "A source is let go before it is resumed"
    case .lockMisuse: "L1 is unlocked, and no thread holds it"
    case .continuationMisuse: "A continuation was never resumed"
    case .confinementViolation: "T3 touches what belongs to the main thread"
    case .lockAcrossSuspension: "L1 is held across an await"
    case .lateWrite: "T3 writes after the test was over"
    case .hang: "Nothing has moved for 60 s"
    case .assertionFailure: "The sum was 90, not 100"
    case .crash: "Signal 11 in T1"
    }
  }

  /// Findings of several severities, one filtered, and accounts, one of them zero.
  static var report: Report {
    let kinds: [Finding.Kind] = [.lockOrderCycle, .dataRace, .priorityInversion, .operationCycle]
    return Report(
      findings: kinds.map(finding), run: .init(id: "17-23", processes: 2, sanitizer: "thread"),
      accounting: ["unsymbolicatedFrames": 12, "droppedEvents": 1, "cutStacks": 0])
  }
}
