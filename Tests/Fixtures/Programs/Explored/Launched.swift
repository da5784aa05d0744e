import Synchronization
import Threadmill

/// Bodies are launched ahead of their schedules, and some in vain: nobody is to notice.
enum Launched {
  @TaskLocal private static var word = ""

  private final class Count: Sendable {
    let begun = Atomic(0)
    let strange = Atomic(0)

    func body() async {
      begun.add(1, ordering: .relaxed)
      if word != "handed down" { strange.add(1, ordering: .relaxed) }
      await Task.yield()
    }
  }

  /// `launched [SCHEDULES]`: says how often the body began, how often without what its task hands
  /// down, and whether anything keeps what it used.
  static func run() throws {
    let schedules = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 100
    weak var kept: Count?
    do {
      let count = Count()
      kept = count
      let result = try $word.withValue("handed down") {
        try explore(schedules: schedules, strategy: .randomWalk) { await count.body() }
      }
      say("schedules", result.schedules)
      say("begun", count.begun.load(ordering: .relaxed))
      say("strange", count.strange.load(ordering: .relaxed))
    }
    say("kept", kept != nil)
  }
}
