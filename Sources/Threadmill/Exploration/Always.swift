#if os(Linux)
  import ThreadmillRuntime
#endif

/// Claims that `condition` is true at every step of the schedule, from here to its end.
///
/// To be called in a body that is explored. The condition is checked between any two steps, by
/// whichever thread has the turn: it must not wait, lock or start anything. Read plain properties
/// of objects of your own in it, or atomics. Nothing else runs meanwhile; but a thread may stand in
/// the midst of a change, such as inside of a lock, and the condition has to bear that.
///
/// ```swift
/// try explore {
///   let pool = Pool(size: 2)
///   always("no more than two are out") { pool.uncheckedCount <= 2 }
///   …
/// }
/// ```
///
/// Outside of an exploration nothing is checked.
///
/// - Parameter name: what is claimed, for reports.
public func always(
  _ name: String = "always", file: String = #filePath, line: Int = #line,
  _ condition: @escaping @Sendable () -> Bool
) {
  #if os(Linux)
    claim(.init(kind: .always, name: name, file: file, line: line, condition: condition))
  #endif
}

/// Claims that `condition` becomes true at some time, however long others are preferred.
///
/// To be called in a body that is explored; the condition is checked as that of
/// ``always(_:file:line:_:)``. As long as it is false, the schedule gets hotter with every step.
/// From half of `steps` on, all threads, blocks and tasks that can go on take turns, so that none
/// is kept from its work. If the condition is false after so many steps, or when nothing goes on
/// any more, the schedule fails, and its table shows what was done again and again. What the claim
/// needs less than that many steps for is no livelock; P. Deligiannis et al., "Uncovering Bugs in
/// Distributed Storage Systems during Testing (Not in Production!)", FAST 2016, call it
/// temperature.
///
/// ```swift
/// try explore {
///   let lock = BackoffLock()
///   eventually("somebody gets the lock") { lock.uncheckedOwner != nil }
///   …
/// }
/// ```
///
/// Outside of an exploration nothing is checked.
///
/// - Parameters:
///   - name: what is claimed, for reports.
///   - steps: how many may be made until then.
public func eventually(
  _ name: String = "eventually", within steps: Int = 2_000, file: String = #filePath,
  line: Int = #line, _ condition: @escaping @Sendable () -> Bool
) {
  #if os(Linux)
    claim(
      .init(
        kind: .eventually(steps: steps), name: name, file: file, line: line, condition: condition))
  #endif
}

#if os(Linux)
  private func claim(_ claim: Claims.Claim) {
    guard Gate.isControlled else { return }
    ProgramProcess.current?.refuseClaims()
    Gate.unseen { BodyRun.current?.claim(claim) }
  }
#endif
