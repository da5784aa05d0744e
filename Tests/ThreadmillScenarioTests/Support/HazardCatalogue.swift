/// The hazard catalogue: its rows in its order, each with what must prove it.
enum HazardCatalogue {
  /// How a row is to be proven; where there are several, each has to do it by itself.
  enum Proof: String, Sendable {
    case tsan, jitter, observe, explore
    /// The program dies, and the finding names the cause.
    case trap
  }

  struct Row: Sendable {
    var id: String
    var proofs: Set<Proof>

    init(_ id: String, _ proofs: Proof...) {
      self.id = id
      self.proofs = Set(proofs)
    }
  }

  static let rows: [Row] = dataRaces + atomicity + deadlocks + priority + misuse + silent

  /// What the suite has on top of the catalogue.
  static let additions: [Row] = [
    Row("load-then-store", .explore),
    Row("relaxed-flag", .explore), Row("dekker-flags", .explore),
    Row("peterson-lock", .explore), Row("lazy-pointer", .explore), Row("ring-tail", .explore),
    Row("sequence-lock", .explore), Row("last-owner", .explore), Row("spin-lock", .explore),
    Row("treiber-stack", .explore), Row("chase-lev", .explore), Row("is-loaded", .explore),
    Row("once-and-lock", .explore),
    Row("wait-for-main-actor", .observe, .explore),
    Row("ended-owner", .observe, .explore),
    Row("two-step-mutex", .explore),
    Row("opposite-mutexes", .observe, .explore),
    Row("mutex-and-queue", .observe, .explore),
    Row("mutex-across-await", .observe),
    Row("mutex-relock", .observe),
    Row("resume-under-mutex", .observe, .explore),
    Row("yield-under-lock", .explore), Row("yield-under-mutex", .explore),
    Row("cancelled-between-letters", .explore), Row("cancelled-between-jobs", .explore),
    Row("mutex-as-gate"), Row("mutex-backoff"), Row("reused-mutex"),
  ]

  private static let dataRaces: [Row] = [
    Row("unsafe-counter", .tsan, .explore),
    Row("quiet-counter", .jitter, .explore),
    Row("lazy-init", .tsan, .explore),
    Row("array-append", .tsan),
    Row("shared-error", .tsan),
    Row("compound-result", .tsan, .explore),
    Row("pending-dictionary", .tsan),
    Row("operation-state", .tsan),
    Row("exit-before-join", .tsan, .explore),
    Row("shared-record", .tsan, .explore),
    Row("bypassed-barrier", .tsan),
    Row("late-write", .tsan),
    Row("double-checked-flag", .tsan),
    Row("broken-confinement", .observe, .tsan),
    Row("unowned-setter", .trap, .explore),
  ]

  private static let atomicity: [Row] = [
    Row("synced-accessors", .explore),
    Row("check-then-act", .explore),
    Row("actor-reentrancy", .explore),
    Row("read-then-barrier", .explore),
    Row("stale-delivery", .explore),
    Row("early-notify", .observe, .explore),
    Row("ignored-cancel", .explore),
    Row("cancelled-leave", .trap, .explore),
  ]

  private static let deadlocks: [Row] = [
    Row("sync-on-current-queue", .observe, .explore),
    Row("main-sync-from-main", .observe),
    Row("sync-through-target", .observe),
    Row("mutual-queue-sync", .observe, .explore),
    Row("hammer-and-saw", .observe, .explore),
    Row("opposite-transfer", .observe, .explore),
    Row("three-lock-ring", .observe, .explore),
    Row("lock-and-queue", .observe, .explore),
    Row("relock", .observe),
    Row("upgrade-read-lock", .observe, .explore),
    Row("operation-cycle", .observe),
    Row("wait-inside-queue", .observe, .explore),
    Row("group-wait-on-own-queue", .observe, .explore),
    Row("completion-on-blocked-queue", .observe, .explore),
    Row("missing-signal", .observe, .explore),
    Row("missing-leave", .observe, .explore),
    Row("never-finished-operation", .observe),
    Row("lost-wakeup", .explore),
    Row("starved-pool", .observe, .explore),
    Row("thread-explosion", .observe),
    Row("cancel-under-lock", .observe, .explore),
    Row("callback-under-lock", .observe, .explore),
    Row("lock-across-await", .observe),
    Row("lost-demand", .explore),
    Row("dropped-continuation", .observe, .explore),
  ]

  private static let priority: [Row] = [
    Row("semaphore-inversion", .observe, .explore),
    Row("lock-inversion", .observe),
    Row("queue-inversion", .observe),
    Row("raised-queue", .observe),
  ]

  private static let misuse: [Row] = [
    Row("unbalanced-leave", .trap),
    Row("operation-twice", .trap),
    Row("semaphore-freed-in-use", .trap),
    Row("cancel-before-start", .observe),
    Row("resumed-twice", .trap),
    Row("suspended-release", .trap),
    Row("blocked-main", .observe),
  ]

  /// Correct programs: nothing is to be proven of them.
  private static let silent: [Row] = [
    Row("gate-lock"), Row("one-thread-both-orders"), Row("ordered-by-join"),
    Row("try-lock-backoff"), Row("recursive-relock"), Row("reused-address"),
    Row("contended-mutex"), Row("continuation-handoff"), Row("barrier-work-item"),
    Row("semaphore-as-event"), Row("own-queue-sync"), Row("hand-over-hand"),
    Row("qos-matched-wait"),
  ]
}
