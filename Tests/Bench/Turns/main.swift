// Runs two programs in turns of a few milliseconds, each stopped while the other runs, until both
// have ended. Other load on the machine then slows both alike. `scripts/campaigns/suite-bench` runs
// it.
//
// usage: threadmill-bench-turns MILLISECONDS FIRST SECOND [ARGUMENT…]
//
// Both programs get the arguments; their output goes nowhere. Prints a line for each, in the order
// of the arguments: the seconds of its turns, and the seconds of processor time that it took. FIRST
// begins. Exit status: 0; 1 if a program fails; 2 wrong usage.
import Foundation

/// The processes that were started and have not ended. Only these may be sent signals.
var started: [pid_t] = []

/// Ends with a message. Kills the programs, which would stay stopped for ever.
@MainActor func fail(_ message: String, status: Int32) -> Never {
  for process in started {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }
  FileHandle.standardError.write(Data("threadmill-bench-turns: \(message)\n".utf8))
  exit(status)
}

/// The set with the signal for the end of a program.
var endings = sigset_t()
sigemptyset(&endings)
sigaddset(&endings, SIGCHLD)

/// One of the two programs. It is stopped, except during its turns.
@MainActor struct Program {
  let path: String
  private let process: pid_t
  private(set) var seconds = 0.0
  /// `nil` until the program has ended.
  private(set) var processorSeconds: Double?

  /// Starts the program, and gives it its first turn.
  init(_ path: String, arguments: [String], turn: Duration) {
    self.path = path
    var nowhere = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&nowhere)
    defer { posix_spawn_file_actions_destroy(&nowhere) }
    for descriptor in 0..<3 as Range<Int32> {
      posix_spawn_file_actions_addopen(&nowhere, descriptor, "/dev/null", O_RDWR, 0)
    }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var (process, attributes, none) = (pid_t(), posix_spawnattr_t(), sigset_t())
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let began = ContinuousClock.now
    let error = posix_spawn(&process, path, &nowhere, &attributes, &words, environ)
    if error != 0 { fail("cannot start \(path): \(String(cString: strerror(error)))", status: 1) }
    self.process = process
    started.append(process)
    wait(for: turn, since: began)
  }

  /// Lets the program go on until its turn is over or it ends.
  mutating func run(_ turn: Duration) {
    let began = ContinuousClock.now
    kill(process, SIGCONT)
    wait(for: turn, since: began)
  }

  private mutating func wait(for turn: Duration, since began: ContinuousClock.Instant) {
    // The program may have ended when its last turn was just over.
    while !takeEnd() {
      let left = turn - (ContinuousClock.now - began)
      guard left > .zero else {
        kill(process, SIGSTOP)
        break
      }
      var most = timespec(tv_sec: 0, tv_nsec: Int(left.components.attoseconds / 1_000_000_000))
      sigtimedwait(&endings, nil, &most)
    }
    seconds += (ContinuousClock.now - began) / .seconds(1)
  }

  /// Returns whether the program has ended, and notes its processor time.
  private mutating func takeEnd() -> Bool {
    var (status, usage) = (Int32(), rusage())
    guard wait4(process, &status, WNOHANG, &usage) == process else { return false }
    started.removeAll { $0 == process }
    if status != 0 { fail("\(path) failed: run it by itself", status: 1) }
    processorSeconds = [usage.ru_utime, usage.ru_stime].reduce(0) { sum, time in
      sum + Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
    return true
  }
}

let words = CommandLine.arguments.dropFirst()
guard words.count >= 3, let milliseconds = words.first.flatMap({ Int($0) }),
  1..<1_000 ~= milliseconds
else { fail("usage: threadmill-bench-turns MILLISECONDS FIRST SECOND [ARGUMENT…]", status: 2) }
let turn = Duration.milliseconds(milliseconds)

// `sigtimedwait` waits for the end of a program. A program that is stopped sends no signal.
var onlyEnds = sigaction()
onlyEnds.sa_flags = Int32(SA_NOCLDSTOP)
sigaction(SIGCHLD, &onlyEnds, nil)
sigprocmask(SIG_BLOCK, &endings, nil)

var programs = words.dropFirst().prefix(2).map {
  Program($0, arguments: Array(words.dropFirst(3)), turn: turn)
}
while programs.contains(where: { $0.processorSeconds == nil }) {
  for index in programs.indices where programs[index].processorSeconds == nil {
    programs[index].run(turn)
  }
}
for program in programs {
  print(String(format: "%.4f %.4f", program.seconds, program.processorSeconds ?? 0))
}
