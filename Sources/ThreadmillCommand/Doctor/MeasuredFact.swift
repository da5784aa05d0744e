/// Something that Threadmill relies on and that no manual promises, measured with one toolchain.
///
/// Another version may do otherwise; `suite` is the one in Tests that then goes red.
package struct MeasuredFact: Hashable, Sendable {
  package let sentence: String
  package let suite: String

  /// The release of the toolchain that everything was measured with.
  package static let toolchain = "6.3.1"

  /// Releases that begin so are the same as far as these facts go.
  package static let family = "6.3"

  package static let table: [MeasuredFact] = [
    MeasuredFact(
      sentence:
        "Foundation and libdispatch call the program's pthread_mutex_lock and dispatch_sync",
      suite: "ScenarioTests"),
    MeasuredFact(
      sentence: "What is taken over does to the program what the real function does",
      suite: "HarmTests"),
    MeasuredFact(
      sentence: "Thread Sanitizer says the same with the gate as without",
      suite: "InvisibilityTests"),
    MeasuredFact(
      sentence: "Thread Sanitizer keeps its own reports of lock orders to itself",
      suite: "SanitizedLockOrderTests"),
    MeasuredFact(
      sentence: "Every job of a Swift task goes through dispatch_async_f", suite: "PoolTests"),
    MeasuredFact(
      sentence: "A block that dispatch_block_create has made can be told from others",
      suite: "OrderTests"),
    MeasuredFact(
      sentence: "Continuations are awaited and resumed across a library's boundary",
      suite: "ContinuationTests"),
    MeasuredFact(
      sentence: "Jobs, tasks, actors and continuations have the layouts that are compiled in",
      suite: "LayoutTests"),
    MeasuredFact(
      sentence: "Foundation's operations have their fields where their names say",
      suite: "OperationTests"),
    MeasuredFact(
      sentence: "libdispatch's groups, semaphores and queues keep their counts in known places",
      suite: "ObjectTests"),
    MeasuredFact(
      sentence:
        "A trait of Swift Testing gets the issues of its test, and all of threads without a task",
      suite: "RepetitionTests"),
    MeasuredFact(
      sentence:
        "A debug build locks and unlocks Synchronization.Mutex through functions of known names",
      suite: "MutexTests"),
    MeasuredFact(
      sentence:
        "Optimised code of Synchronization.Mutex keeps the thread's number in _swift_stdlib_gettid.tid",
      suite: "MutexTests"),
    MeasuredFact(
      sentence: "Synchronization.Mutex takes a word that only has FUTEX_OWNER_DIED for a free one",
      suite: "MutexTests"),
    MeasuredFact(
      sentence: "What a fatal error says is found at a crash", suite: "CrashTests"),
  ]
}
