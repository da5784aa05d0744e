/// Flags of Thread Sanitizer that are tried together, because none changes what another one does.
struct SanitizerFlags: Sendable, CustomStringConvertible {
  let name: String
  /// As they stand in `TSAN_OPTIONS`.
  let text: String
  /// Whether Thread Sanitizer reports races in correct programs with these flags, without a gate,
  /// too.
  var isNoisy = false

  var description: String { name }

  /// The names of the flags.
  var names: [String] { text.split(separator: ":").map { String($0.prefix { $0 != "=" }) } }

  /// Every flag that the sanitizer documents is here or among ``leftOut``, with a value that is not
  /// its default.
  static let groups = [
    SanitizerFlags(
      name: "what is printed",
      text: "print_summary=0:color=always:symbolize_vs_style=1:dedup_token_length=3"
        + ":strip_path_prefix=/:print_module_map=1:print_full_thread_history=1"
        + ":second_deadlock_stack=1:symbolize_inline_frames=0:demangle=0:verbosity=1"
        + ":print_suppressions=1:enable_symbolizer_markup=0:stack_trace_format=DEFAULT"
        + ":log_suffix=x:log_exe_name=1:suppressions=/dev/null:print_cmdline=1"),
    SanitizerFlags(
      name: "how names are found",
      text: "symbolize=0:external_symbolizer_path=/nowhere/llvm-symbolizer:allow_addr2line=0"
        + ":include_if_exists=/nowhere/flags"),
    SanitizerFlags(
      name: "memory",
      text: "history_size=7:flush_memory_ms=20:flush_symbolizer_ms=20:memory_limit_mb=100"
        + ":clear_shadow_mmap_threshold=4096:allocator_release_to_os_interval_ms=1"
        + ":compress_stack_depot=1:no_huge_pages_for_shadow=0:malloc_context_size=30"
        + ":fast_unwind_on_malloc=0:fast_unwind_on_check=1:fast_unwind_on_fatal=1"
        + ":allocator_may_return_null=1:max_allocation_size_mb=4000:soft_rss_limit_mb=16000"
        + ":hard_rss_limit_mb=16000:can_use_proc_maps_statm=0:decorate_proc_maps=1"
        + ":use_madv_dontdump=0:disable_coredump=0:full_address_space=1:detect_leaks=0"
        + ":leak_check_at_exit=0:profile_memory=/dev/null"),
    SanitizerFlags(
      name: "threads and their order",
      text: "io_sync=2:force_background_thread=1:die_after_fork=0:intercept_tls_get_addr=0"
        + ":shared_ptr_interceptor=0:running_on_valgrind=1:force_seq_cst_atomics=1"
        + ":legacy_pthread_cond=0:atexit_sleep_ms=50"),
    SanitizerFlags(
      name: "signals by default",
      text: "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:use_sigaltstack=0"),
    SanitizerFlags(
      name: "signals by the sanitizer",
      text: "handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_abort=2:handle_sigill=2"
        + ":handle_sigtrap=2:allow_user_segv_handler=0:dump_instruction_bytes=1"),
    SanitizerFlags(
      name: "what is reported",
      text: "report_thread_leaks=0:report_destroy_locked=0:report_mutex_bugs=0"
        + ":report_signal_unsafe=0:report_atomic_races=0:suppress_equal_stacks=0"
        + ":detect_deadlocks=0:detect_invalid_join=0:check_printf=0"),
    SanitizerFlags(name: "nothing is reported", text: "report_bugs=0"),
    SanitizerFlags(name: "annotations are off", text: "enable_annotations=0"),
    SanitizerFlags(
      name: "what is intercepted",
      text: "strict_string_checks=1:strict_memcmp=0:intercept_strstr=0:intercept_strspn=0"
        + ":intercept_strtok=0:intercept_strpbrk=0:intercept_strcmp=0:intercept_strlen=0"
        + ":intercept_strndup=0:intercept_strchr=0:intercept_memcmp=0:intercept_memmem=0"
        + ":intercept_intrin=0:intercept_stat=0:intercept_send=0:handle_ioctl=1"
        + ":detect_write_exec=1"),
    SanitizerFlags(name: "the end", text: "halt_on_error=1:abort_on_error=1:exitcode=3"),
    SanitizerFlags(name: "functions of libraries", text: "ignore_noninstrumented_modules=0"),
    SanitizerFlags(
      name: "memory of functions", text: "ignore_interceptors_accesses=0", isNoisy: true),
    SanitizerFlags(name: "both of these", text: both, isNoisy: true),
  ]

  static let both = "ignore_noninstrumented_modules=0:ignore_interceptors_accesses=0"

  /// Flags that no test sets, each with the reason.
  static let leftOut = [
    "coverage": "writes files of code that was built for it",
    "coverage_dir": "the same", "cov_8bit_counters_out": "the same", "cov_pcs_out": "the same",
    "html_cov_report": "the same", "sancov_path": "the same",
    "help": "prints the list that this test reads",
    "include": "reads other flags from a file",
    "log_path": "takes the reports away that are compared",
    "log_to_syslog": "writes to the system's log",
    "mmap_limit_mb": "the sanitizer's own shadow is larger",
    "stop_on_start": "the program waits for a call that nobody makes",
    "test_only_emulate_no_memorymap": "for tests of the sanitizer",
    "test_only_replace_dlopen_main_program": "for tests of the sanitizer",
    "heap_profile": "for Address Sanitizer", "suppress_equal_pcs": "for Address Sanitizer",
    "strip_env": "for Darwin", "verify_interceptors": "for Darwin", "dump_registers": "for Darwin",
  ]
}
