import Foundation

// One program in one process that stands still, or only seems to. Threadmill is linked and never
// called.

let cases: [String: @Sendable () -> Void] = [
  "three-corners": threeCorners, "busy": busy, "own-quit": ownQuit, "crowd": crowd,
  "never-finish": neverFinish, "print-for-ever": printForEver, "sleep": sleepLong, "poll": pollLong,
  "relieved-pool": relievePool,
  "pipe": readLong, "bounded-wait": waitLong, "timer": waitForTimer, "later": waitForLater,
  "run-loop-timer": waitForRunLoop, "spin": spin, "stopped": work, "child": waitForChild,
]

@main struct Main {
  static func main() {
    guard CommandLine.arguments.count == 2, let run = cases[CommandLine.arguments[1]] else {
      FileHandle.standardError.write(Data("usage: stuck CASE\n".utf8))
      exit(2)
    }
    run()
  }
}
