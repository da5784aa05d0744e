import ThreadmillModel

/// Continuations that are resumed more or less than once.
struct ContinuationMisuse {
  func resumedTwice(_ event: Happening.ResumedTwice) -> Finding {
    let again = Finding.Participant(
      thread: event.thread.thread, threadName: event.thread.name,
      role: "resumes the continuation again", frames: event.thread.stack)
    let (first, made) = (event.before.place, event.made)
    let before = Finding.Participant(
      thread: event.before.thread ?? again.thread, role: "resumed it before", frames: first)
    return Finding(
      kind: .continuationMisuse, status: .observed, severity: .error,
      title: "Continuation misuse: a continuation is resumed twice",
      participants: [again] + (first.isEmpty ? [] : [before]),
      facts: made.isEmpty ? [] : [.init("the continuation was made", frames: made)],
      tests: Set(event.thread.tests).sorted())
  }

  func dropped(_ event: Happening.ContinuationDropped) -> Finding {
    var participant = event.thread.participant(
      role: "lets go of the continuation, whose task stays suspended for ever")
    if !event.awaits.isEmpty { participant.frames = event.awaits }
    return Finding(
      kind: .continuationMisuse, status: .observed, severity: .error,
      title: "Continuation misuse: a continuation is gone, and nobody has resumed it",
      participants: [participant],
      tests: Set(event.thread.tests).sorted())
  }
}
