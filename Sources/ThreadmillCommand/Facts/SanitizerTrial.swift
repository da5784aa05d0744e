import Foundation
import ThreadmillChildren

extension SanitizerTrial {
  /// Two threads that write to the same places without any order: every run has the race.
  private static let source = """
    #include <pthread.h>
    static int shared[64];
    static void *write_all(void *unused) {
      for (int i = 0; i < 64; i++) shared[i]++;
      return unused;
    }
    int main(void) {
      pthread_t other;
      if (pthread_create(&other, 0, write_all, 0)) return 1;
      write_all(0);
      return pthread_join(other, 0);
    }
    """

  /// Builds the program with the toolchain's compiler, and runs it as the user's tests would be.
  static func run(
    with toolchain: MachineFacts.Toolchain?, _ programs: ProgramFinder
  ) -> SanitizerTrial {
    guard let toolchain, let clang = programs.path(of: "clang", in: toolchain.root) else {
      return .noCompiler
    }
    guard let folder = try? TemporaryDirectory() else {
      return .notBuilt("there is no temporary folder")
    }
    defer { folder.remove() }
    let program = folder.file("race").path
    if let failure = build(program, in: folder, clang, toolchain, programs) { return failure }
    let trial = judge(start(program, [], programs))
    guard case .refused(let reason, _) = trial else { return trial }
    let second = programs.path(of: "setarch").map { judge(start($0, ["-R", program], programs)) }
    return .refused(reason, withoutRandomization: second?.hasReported ?? false)
  }

  /// Returns what went wrong.
  private static func build(
    _ program: String, in folder: TemporaryDirectory, _ clang: String,
    _ toolchain: MachineFacts.Toolchain, _ programs: ProgramFinder
  ) -> SanitizerTrial? {
    let file = folder.file("race.c").path
    do {
      try source.write(toFile: file, atomically: false, encoding: .utf8)
    } catch {
      return .notBuilt("\(file) cannot be written: \(error.localizedDescription)")
    }
    // The sanitizer's runtime for Swift refers to libdispatch.
    let libraries = "\(toolchain.root)/lib/swift/linux"
    let result = programs.run(
      clang,
      [
        "-g", "-fsanitize=thread", file, "-o", program, "-L\(libraries)", "-Wl,-rpath,\(libraries)",
        "-ldispatch", "-lBlocksRuntime", "-lpthread",
      ])
    guard let result else { return .notBuilt("\(clang) cannot be started") }
    if result.outcome == .timedOut { return .timedOut }
    return result.outcome == .exited(0) ? nil : .notBuilt(lastLine(of: result.output))
  }

  private static func start(
    _ executable: String, _ arguments: [String], _ programs: ProgramFinder
  ) -> ChildProcess.Result? {
    // Later words win: the user's options count, and the report comes here all the same.
    let ours = "report_bugs=1:log_path=stderr:exitcode=66:atexit_sleep_ms=0:color=never"
    let theirs = programs.environment["TSAN_OPTIONS"].map { "\($0):" } ?? ""
    return programs.run(executable, arguments, adding: ["TSAN_OPTIONS": theirs + ours])
  }

  private static func judge(_ result: ChildProcess.Result?) -> SanitizerTrial {
    guard let result else { return .notBuilt("what was built cannot be started") }
    var status: Int32?
    if case .exited(let number) = result.outcome { status = number }
    return judge(
      status: status, output: result.output, hasTimedOut: result.outcome == .timedOut)
  }

  /// What a run means; `status` is `nil` if a signal ended it.
  package static func judge(status: Int32?, output: String, hasTimedOut: Bool) -> SanitizerTrial {
    if hasTimedOut { return .timedOut }
    if output.contains("WARNING: ThreadSanitizer: data race") {
      return .reported(isNamed: output.firstMatch(of: #/write_all .*race\.c:\d+/#) != nil)
    }
    if status == 0 { return .silent }
    let lines = output.split(separator: "\n")
    let reason = lines.first { $0.contains("FATAL") || $0.contains("ERROR") } ?? lines.first
    return .refused(reason.map(String.init) ?? "it said nothing", withoutRandomization: false)
  }

  private var hasReported: Bool {
    if case .reported = self { true } else { false }
  }

  /// The last line that is about an error, or the last one.
  private static func lastLine(of output: String) -> String {
    let lines = output.split(separator: "\n")
    let line = lines.first { $0.contains("error:") } ?? lines.last
    return line.map(String.init) ?? "the compiler failed without a word"
  }
}
