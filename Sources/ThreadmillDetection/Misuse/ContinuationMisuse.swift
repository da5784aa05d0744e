import ThreadmillModel

/// Continuations that are resumed more or less than once.
struct ContinuationMisuse {
  func resumedTwice(_ happening: Happening) -> Finding? {
    let again = Finding.Participant(
      thread: happening.thread.thread, threadName: happening.thread.name,
      role: "resumes the continuation again", frames: happening.thread.stack)
    let first = happening.places.first ?? []
    let made = happening.places.dropFirst().first ?? []
    let thread = happening.numbers.first.map { ThreadID(UInt32(truncatingIfNeeded: $0)) }
    let before = Finding.Participant(
      thread: thread ?? again.thread, role: "resumed it before", frames: first)
    return Finding(
      kind: .continuationMisuse, status: .observed, severity: .error,
      title: "Continuation misuse: a continuation is resumed twice",
      participants: [again] + (first.isEmpty ? [] : [before]),
      facts: made.isEmpty ? [] : [.init("the continuation was made", frames: made)],
      tests: Set(happening.thread.tests).sorted())
  }

  func dropped(_ happening: Happening) -> Finding? {
    var participant = happening.thread.participant(
      role: "lets go of the continuation, whose task stays suspended for ever")
    if let throughAwaits = happening.places.first { participant.frames = throughAwaits }
    return Finding(
      kind: .continuationMisuse, status: .observed, severity: .error,
      title: "Continuation misuse: a continuation is gone, and nobody has resumed it",
      participants: [participant],
      tests: Set(happening.thread.tests).sorted())
  }
}
