#if os(Linux)
  import CThreadmillGate
  import CUnwind

  /// The gate's functions for the rest of Threadmill.
  package enum Gate {
    package static var isActive: Bool { tm_is_active() }
    package static var hasThreadSanitizer: Bool { tm_has_thread_sanitizer() }

    /// The test for all code that carries none of its own, for frameworks that run one test at a
    /// time.
    package static func setProcessScope(_ scope: UInt32) { tm_set_process_scope(scope) }

    /// The test that the code here works for; 0 for none.
    package static var currentScope: UInt32 { tm_current_scope() }

    /// A test begins or ends; hangs are looked for as long as one runs.
    package static func testBegan(scope: UInt32) { tm_test_began(scope) }
    package static func testEnded(scope: UInt32) { tm_test_ended(scope) }

    /// Runs `body` unseen: its locks are not the user's, its memory accesses not Thread
    /// Sanitizer's.
    package static func unseen<R>(_ body: () throws -> R) rethrows -> R {
      tm_enter_harness()
      defer { tm_leave_harness() }
      return try body()
    }

    /// The opposite, within a call of the gate's up to here.
    package static func seen<R>(_ body: () throws -> R) rethrows -> R {
      tm_leave_harness()
      defer { tm_enter_harness() }
      return try body()
    }

    /// Runs `body` with findings held back: one deliverer at a time.
    package static func delivering<R>(_ body: () throws -> R) rethrows -> R {
      try unseen {
        tm_delivery_lock()
        defer { tm_delivery_unlock() }
        return try body()
      }
    }

    /// The same, but `nil` if another delivery does not come to its end.
    package static func deliveringWithPatience<R>(_ body: () throws -> R) rethrows -> R? {
      try unseen {
        guard tm_delivery_lock_within(5_000) else { return nil }
        defer { tm_delivery_unlock() }
        return try body()
      }
    }

    /// Ends the process at once, from a thread of the gate's own.
    package static func end(status: Int32) -> Never { tm_end_process(status) }

    package static func deactivate() { tm_deactivate() }
    package static func atExit(_ flush: @convention(c) (Int32) -> Int32) { tm_at_exit(flush) }

    /// The environment variable that names the only program that is watched.
    package static let onlyVariable = TM_ONLY_VARIABLE

    /// Takes the preloaded library out of the environment of the programs that this one starts,
    /// except itself.
    package static func watchNoOtherProgram(than own: String) { tm_watch_no_other_program(own) }

    /// Maps the mailbox of the run; false if there is none.
    package static func openMailbox(at path: String) -> Bool { tm_mailbox_open(path) }

    /// Puts a report into the mailbox; false if there is none, or no room.
    package static func putIntoMailbox(_ bytes: [UInt8]) -> Bool {
      bytes.withUnsafeBytes { tm_mailbox_put($0.baseAddress, UInt64($0.count)) }
    }

    /// Has the report written before a signal ends the process.
    package static func expectTheEnd() { tm_expect_the_end() }

    /// Has a test that a deadlock stops become a hang before long.
    package static func noteDeadlock() { tm_deadlock_found() }

    /// The seconds without progress that make a hang now.
    package static var hangSeconds: Int { Int(tm_hang_seconds()) }

    /// Adds text that is said when a signal ends the process.
    package static func addLastWords(_ text: String) {
      tm_add_last_words(text, UInt64(text.utf8.count))
    }

    /// Replaces the text that is said if a signal ends the process during this schedule; `nil` when
    /// the program has survived the schedule.
    package static func setSchedulesLastWords(_ text: String?) {
      tm_set_schedules_last_words(text, UInt64(text?.utf8.count ?? 0))
    }

    package static func forgetLastWords() { tm_forget_last_words() }

    // MARK: Whole programs

    /// The environment variable that asks for an exploration of the whole program.
    package static let programVariable = TM_PROGRAM_VARIABLE
    /// How many threads, blocks and jobs one schedule can have.
    package static var mostFlows: Int { Int(tm_control_most_flows()) }

    /// Calls `hook` on the main thread before the program's main function, which is then called by
    /// ``runProgram`` alone.
    package static func beforeMain(_ hook: @convention(c) () -> Void) {
      tm_program_before_main(hook)
    }

    /// Whether the calling thread is the only one of the process, those of Threadmill aside.
    package static var isAlone: Bool { tm_program_is_alone() }

    /// A file in memory; -1 for an error.
    package static func makeFile() -> Int32 { tm_program_make_file() }

    /// Forks a child that is watched as this process is; 0 in the child.
    package static func copyProcess() -> Int32 { tm_program_copy() }

    /// Waits for a child. One that takes too long is ended.
    package static func awaitEnd(
      of process: Int32, seconds: Int
    ) -> (status: Int32, isLate: Bool) {
      var status: Int32 = 0
      let isInTime = tm_program_wait(process, UInt32(seconds), &status)
      return (status, !isInTime)
    }

    /// Has the threads of a schedule stay on a processor, by its number among those that this
    /// process may use; numbers beyond begin anew.
    package static func prefer(processor number: Int) {
      tm_control_prefer_processor(UInt32(truncatingIfNeeded: number))
    }

    /// Tells of crashes of this process, which is a copy.
    package static func ownsEnd() { tm_fatal_own() }

    /// Runs the program from its main function to its end.
    package static func runProgram() -> Never { tm_program_run() }

    /// Ends the program as libc does when its last thread has ended, on whatever thread.
    package static func endProgram() -> Never { tm_program_over() }

    /// The numbers of things that the gate counted instead of doing them, by name.
    static var counts: [String: Int] {
      let names = Mirror(reflecting: tm_count_names).children.compactMap {
        ($0.value as? UnsafePointer<CChar>).map { String(cString: $0) }
      }
      return Dictionary(
        uniqueKeysWithValues: names.enumerated().map { index, name in
          (name, Int(tm_counted(tm_count(UInt32(index)))))
        })
    }
  }

  /// Functions of a test framework for the begin and the end of its tests; called on the
  /// test's task.
  package struct ScopeHooks: Sendable {
    /// Returns the number of the scope that begins, 0 for none of its own.
    let entered: @Sendable () -> UInt32
    let leaving: @Sendable (UInt32) -> Void

    package init(
      entered: @escaping @Sendable () -> UInt32, leaving: @escaping @Sendable (UInt32) -> Void
    ) {
      self.entered = entered
      self.leaving = leaving
    }

    /// Set once, before the gate is activated; only read after that.
    nonisolated(unsafe) static var current: ScopeHooks?
  }

  /// The unwinder behind frame pointers.
  enum Unwinding {
    /// Set once, before the gate is activated; only read after that.
    nonisolated(unsafe) private(set) static var missing: String?

    static func prepare() {
      switch tm_unwind_prepare(tm_image_visit, tm_function_replace) {
      case TM_UNWIND_READY: tm_set_unwinders(tm_unwind_here, tm_unwind_context_stack)
      case TM_UNWIND_NO_HEADER: missing = "builtWithoutLibunwind"
      default: missing = "libunwindNotFound"
      }
    }
  }
#endif
