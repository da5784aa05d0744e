import ThreadmillModel

extension Finding {
  /// Whether it is a potential lock order cycle that accuses the program, so that it is worth to
  /// try it out.
  var isOpenCycle: Bool {
    kind == .lockOrderCycle && status == .potential && severity == .error && !isSingleThreaded
      && counts
  }

  /// The threads of a deadlock in the order of this cycle's participants; `nil` if the deadlock is
  /// another one.
  ///
  /// The deadlock may be that of another process, which numbers its locks and threads differently
  /// and has its code at other addresses. ``CyclePlaces`` compares addresses, so it needs one
  /// process.
  func threads(of deadlock: Finding) -> [Participant]? {
    guard kind == .lockOrderCycle, deadlock.kind == .deadlock, deadlock.status == .observed,
      let parts = parts
    else { return nil }
    let threads = deadlock.participants
    return threads.indices.lazy.map { Array(threads[$0...] + threads[..<$0]) }.first { threads in
      var turned = deadlock
      turned.participants = threads
      guard let others = turned.parts, others.count == parts.count else { return false }
      return zip(parts, others).allSatisfy { $0.isReached(by: $1) }
    }
  }

  /// The lines at which the threads of this cycle take the locks that they wait for; empty if one
  /// of the lines is not known.
  var linesOfSecondLocks: [CodeLine] {
    var lines: [CodeLine] = []
    for thread in participants {
      guard let frame = thread.frames.firstUserFrame, let file = frame.file,
        let number = frame.line, let line = CodeLine("\(file):\(number)")
      else { return [] }
      if !lines.contains(line) { lines.append(line) }
    }
    return lines.count <= Options.mostLines ? lines : []
  }

  /// The part of each participant; `nil` if the threads do not wait for each other all around.
  private var parts: [CyclePart]? {
    let known = Dictionary(objects.map { ($0.id, $0) }) { first, _ in first }
    let previous = participants.suffix(1) + participants.dropLast()
    let parts = zip(previous, participants).compactMap { previous, thread -> CyclePart? in
      guard let wanted = thread.wants, let held = previous.wants,
        let hold = thread.holds.first(where: { $0.object == held })
      else { return nil }
      return CyclePart(
        held: CyclePart.Lock(known[held]), wanted: CyclePart.Lock(known[wanted]),
        taken: hold.frames.placeAnywhere, waits: thread.frames.placeAnywhere)
    }
    return parts.count == participants.count && parts.count > 1 ? parts : nil
  }
}

/// The part of one thread in a cycle of waits, in the words that every process has for it.
private struct CyclePart {
  /// A lock by its kind, its name and the place that created it.
  struct Lock: Hashable {
    var kind: SharedObject.Kind?
    var label: String?
    var created: Frame?

    init(_ object: SharedObject?) {
      kind = object?.kind
      label = object?.label
      created = object?.variable?.anywhere ?? object?.created.placeAnywhere
    }
  }

  var held: Lock
  var wanted: Lock
  /// The place at which the thread took what it holds.
  var taken: Frame?
  /// The place at which it takes, or waits for, the next lock.
  var waits: Frame?

  /// Whether this part of a cycle is that part of a deadlock.
  ///
  /// Not every thread of a deadlock has a stack of where it waits: the place at which it took what
  /// it holds stands for it then.
  func isReached(by other: CyclePart) -> Bool {
    guard held == other.held, wanted == other.wanted, taken == other.taken, let waits else {
      return false
    }
    return other.waits.map { $0 == waits } ?? (taken != nil)
  }
}

extension Backtrace {
  /// The innermost frame of the user's, or else of all, without its address.
  fileprivate var placeAnywhere: Frame? { (firstUserFrame ?? first)?.anywhere }
}

extension Frame {
  /// The frame as every process of the program has it.
  fileprivate var anywhere: Frame {
    var frame = self
    frame.address = 0
    return frame
  }
}
