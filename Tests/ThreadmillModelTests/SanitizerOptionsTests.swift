import Testing
import ThreadmillModel

@Suite struct SanitizerOptionsTests {
  /// What says nothing about text, status or end leaves the telling to Threadmill.
  @Test(arguments: [
    "", " : ,\n", "halt_on_error=0", "report_bugs=0 atexit_sleep_ms=0", "history_size=7",
    "suppressions=log_path=x", "suppressions='a exitcode=1'", "exitcode",
    "halt_on_error=1:halt_on_error=0", #"suppressions="a,exitcode=66" halt_on_error=false"#,
  ])
  func staysQuiet(text: String) { #expect(!SanitizerOptions(parsing: text).speaks) }

  @Test(arguments: [
    "exitcode=66", "log_path=stderr", "halt_on_error=1", "halt_on_error=true",
    "report_bugs=1:exitcode=0", "verbosity=0,log_path=/tmp/a b", "a='b c' exitcode=1",
    #"suppressions="x y":halt_on_error=yes"#, "include=flags", "include_if_exists=flags",
    "halt_on_error=0 halt_on_error=1", "exitcode='3", "abort_on_error=1", "log_to_syslog=yes",
  ])
  func speaks(text: String) { #expect(SanitizerOptions(parsing: text).speaks) }

  /// By default no library's accesses are seen, so that none are left out; the last word counts.
  @Test(arguments: [
    ("", false), ("ignore_noninstrumented_modules=0", false),
    ("ignore_interceptors_accesses=0", true),
    ("history_size=7 ignore_interceptors_accesses=no", true),
    ("ignore_interceptors_accesses=0:ignore_interceptors_accesses=1", false),
    ("ignore_interceptors_accesses=0 ignore_noninstrumented_modules=1", true),
    ("ignore_interceptors_accesses=0 ignore_noninstrumented_modules=0", false),
  ])
  func leavesOutLibraries(text: String, expected: Bool) {
    #expect(SanitizerOptions(parsing: text).leavesOutLibraries == expected)
  }
}
