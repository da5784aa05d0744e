import CBenchProbe
import Foundation

/// What the bare and the observed executable do: one mode a run, chosen by the driver.
///
/// Prints lines of a name and numbers on standard output; ends the program.
package enum BenchProgram {
  package enum Mode: String, Sendable {
    /// Prints the samples of every case, or of the named one.
    case times
    /// Prints how often one round of each fast path allocates.
    case allocations
    /// Prints the first system call of the named fast path: "calls N", or "calls none".
    case calls
    /// Prints the number of the named part of the endurance test.
    case endurance
    /// Prints 1 if the program's locks go through a gate of its own, otherwise 0.
    case watched
  }

  package static let samplesPerCase = 8
  /// Seconds after which a program that hangs is ended by a signal; the longest mode takes a few.
  private static let timeLimit: UInt32 = 300

  /// Runs the mode that the arguments name; ends with 2 and a line of help if they name none.
  package static func run(_ arguments: [String]) {
    alarm(timeLimit)
    bench_become_multithreaded()
    _ = bench_pin(0)
    let name = arguments.count > 1 ? arguments[1] : ""
    switch (arguments.first.flatMap(Mode.init), PricedCase.named(name), EndurancePart.named(name)) {
    case (.times, let priced?, _): printTimes(of: priced)
    case (.times, nil, _): PricedCase.all.forEach(printTimes)
    case (.allocations, _, _): fastPaths.forEach(printAllocations)
    case (.calls, let priced?, _): printCalls(of: priced)
    case (.endurance, _, let part?): printLine(part.name, part.measure())
    case (.watched, _, _): printLine("watched", bench_is_watched() ? 1 : 0)
    default: refuse()
    }
  }

  private static var fastPaths: [PricedCase] { PricedCase.all.filter(\.isFastPath) }

  private static func printTimes(of priced: PricedCase) {
    warmUp(priced)
    for _ in 0..<samplesPerCase { printLine(priced.name, priced.sample(priced.rounds)) }
  }

  /// A negative number where allocations cannot be counted.
  private static func printAllocations(of priced: PricedCase) {
    warmUp(priced)
    let before = bench_allocations()
    _ = priced.sample(priced.rounds)
    let count = before < 0 ? before : bench_allocations() - before
    printLine(priced.name, Double(count) / Double(priced.rounds))
  }

  /// Does not return: a thread that may make no system call cannot do much else.
  private static func printCalls(of priced: PricedCase) {
    warmUp(priced)
    guard bench_forbid_system_calls() else { bench_finish("calls unknown\n") }
    _ = priced.sample(priced.rounds)
    bench_finish("calls none\n")
  }

  private static func warmUp(_ priced: PricedCase) { _ = priced.sample(priced.rounds) }

  private static func printLine(_ name: String, _ value: Double) { print(name, value) }

  private static func refuse() -> Never {
    let help = "usage: times [NAME] | allocations | calls NAME | endurance NAME | watched\n"
    FileHandle.standardError.write(Data(help.utf8))
    exit(2)
  }
}
