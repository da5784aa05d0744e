import ThreadmillModel

/// Blocks and waits that keep the main queue from going on.
///
/// A warning: how long is too long depends on the machine. Each place is told once.
struct BlockedMainQueue {
  private var told: Set<Backtrace> = []

  mutating func held(_ happening: Happening) -> Finding? {
    guard let place = happening.places.first, told.insert(place).inserted else { return nil }
    var participant = happening.thread.participant(
      role: "ran one block on the main queue for \(happening.milliseconds) ms")
    participant.frames = happening.function.map { [Frame(address: $0)] } ?? []
    participant.submitted = place
    participant.holds = []
    return Finding(
      kind: .blockedMainQueue, status: .observed, severity: .warning,
      title: "Main queue held for \(happening.milliseconds) ms by one block, "
        + "while \(happening.others) queued there",
      participants: [participant], objects: happening.objects,
      facts: happening.waiting(happening.places.dropFirst()),
      tests: Set(happening.thread.tests).sorted())
  }

  mutating func waited(_ happening: Happening) -> Finding? {
    guard let object = happening.objects.first, told.insert(happening.thread.stack).inserted
    else { return nil }
    return Finding(
      kind: .blockedMainQueue, status: .observed, severity: .warning,
      title: "Main queue held for \(happening.milliseconds) ms by a wait for "
        + "\(object.displayName), while \(happening.others) queued there",
      participants: [
        happening.thread.participant(
          role: "waited for \(object.displayName) for \(happening.milliseconds) ms")
      ],
      objects: [object], facts: happening.waiting(happening.places[...]),
      tests: Set(happening.thread.tests).sorted())
  }
}

extension Happening {
  fileprivate var milliseconds: UInt64 { numbers.first ?? 0 }

  /// An address in what the block ran, which is over by now: no stack leads there any more.
  fileprivate var function: UInt64? { numbers.dropFirst(2).first.flatMap { $0 == 0 ? nil : $0 } }

  fileprivate var others: String {
    let count = numbers.dropFirst().first ?? 0
    return count == 1 ? "another block was" : "\(count) other blocks were"
  }

  fileprivate func waiting(_ places: ArraySlice<Backtrace>) -> [Finding.Fact] {
    var seen: Set<Backtrace> = []
    return places.filter { seen.insert($0).inserted }
      .map { Finding.Fact("a block that had to wait was submitted", frames: $0) }
  }
}
