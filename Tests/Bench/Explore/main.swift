// Measures the speed of explorations, and their memory: see `scripts/campaigns/explore-bench`.
//
// Exit status: 0 within the limits; 1 beyond one; 3 nothing could be measured.
import Dispatch
import Foundation
import Threadmill

actor Count {
  private var value = 0
  func increment() { value += 1 }
}

/// Two mutexes. It is sendable, because the address is set once and a mutex guards itself.
final class Locks: @unchecked Sendable {
  let first = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 2)
  init() { for index in 0..<2 { pthread_mutex_init(first + index, nil) } }
  deinit { first.deallocate() }
}

/// Runs the body on `count` POSIX threads, and joins them.
func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var threads: [pthread_t] = []
  for _ in 0..<count {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    pthread_create(
      &thread, nil,
      { box in
        guard let box else { return nil }
        Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
        return nil
      }, box)
    threads.append(thread)
  }
  for thread in threads { pthread_join(thread, nil) }
}

let threeTasks: @Sendable () async -> Void = {
  let count = Count()
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<3 { group.addTask { await count.increment() } }
  }
}

let twoMutexes: @Sendable () -> Void = {
  let locks = Locks()
  onThreads(2) {
    pthread_mutex_lock(locks.first)
    pthread_mutex_lock(locks.first + 1)
    pthread_mutex_unlock(locks.first + 1)
    pthread_mutex_unlock(locks.first)
  }
}

/// One mutex at a time, so that no schedule deadlocks; more schedules than an exploration has.
let lockedInTurn: @Sendable () -> Void = {
  let locks = Locks()
  onThreads(3) {
    for number in 0..<4 {
      pthread_mutex_lock(locks.first + number % 2)
      pthread_mutex_unlock(locks.first + number % 2)
    }
  }
}

let manyOperations: @Sendable () -> Void = {
  let locks = Locks()
  onThreads(4) {
    for _ in 0..<500 {
      pthread_mutex_lock(locks.first)
      pthread_mutex_unlock(locks.first)
    }
  }
}

func pages() -> Int {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
}

func kibibytes() -> Int { pages() * Int(getpagesize()) / 1024 }

/// Whether all rows were within their limits. Only the main thread uses it, which writes the table.
nonisolated(unsafe) var isWell = true

/// Prints a line of the table. The value has to be at least `least`, or at most `most`.
func row(_ name: String, _ value: Int, least: Int? = nil, most: Int? = nil) {
  let isIn = value >= least ?? .min && value <= most ?? .max
  if !isIn { isWell = false }
  let limit = least.map { "at least \($0)" } ?? most.map { "at most \($0)" } ?? ""
  print(name.padding(toLength: 52, withPad: " ", startingAt: 0), value, limit, isIn ? "" : "BEYOND")
}

/// Returns the processor time of the whole process in seconds; other processes do not count.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns the best of some rates, each per second of processor time: other programs only slow it.
func best(of rounds: Int = 5, _ explored: () throws -> Int) rethrows -> Int {
  var best = 0.0
  for _ in 0..<rounds {
    let began = processorTime()
    let count = try explored()
    best = max(best, Double(count) / (processorTime() - began))
  }
  return Int(best)
}

/// The argument after `--only`: a part of the name of the wanted rows.
let wanted = CommandLine.arguments.drop { $0 != "--only" }.dropFirst().first

func isWanted(_ name: String) -> Bool { wanted.map { name.contains($0) } ?? true }

func measure(
  _ name: String, least: Int, rounds: Int = 5, _ explored: () throws -> Int
) rethrows {
  if isWanted(name) { row(name, try best(of: rounds, explored), least: least) }
}

func measureSpeed() throws {
  try measure("three tasks and an actor, schedules a second", least: 100_000, rounds: 50) {
    try explore(schedules: 20_000, strategy: .randomWalk, threeTasks).schedules
  }
  try measure("two threads and two mutexes, schedules a second", least: 20_000) {
    try explore(schedules: 5_000, strategy: .randomWalk, twoMutexes).schedules
  }
  try measure("three threads and two mutexes, the default, schedules a second", least: 10_000) {
    try explore(schedules: 5_000, lockedInTurn).schedules
  }
  try measure("four threads, no switch taken, points a second", least: 1_000_000, rounds: 50) {
    try explore(schedules: 1, strategy: .exhaustive, manyOperations).steps
  }
}

func measureMemory(_ name: String, _ schedules: Int, _ body: @escaping @Sendable () async -> Void)
  throws
{
  let name = "\(name), KiB more after \(schedules) schedules"
  guard isWanted(name) else { return }
  _ = try explore(schedules: schedules / 10, strategy: .randomWalk, body)
  let before = kibibytes()
  _ = try explore(schedules: schedules, strategy: .randomWalk, body)
  row(name, kibibytes() - before, most: 1_024)
}

do {
  try measureSpeed()
  if !CommandLine.arguments.contains("--brief") {
    try measureMemory("three tasks", 1_000_000, threeTasks)
    try measureMemory("two threads", 1_000_000, twoMutexes)
  }
} catch {
  FileHandle.standardError.write(Data("explore-bench: \(error)\n".utf8))
  exit(3)
}
exit(isWell ? 0 : 1)
