import Dispatch

extension Scenario {
  /// An importer limits itself to two files at a time, and gives up on a broken one.
  ///
  /// **What people write.** `wait()` at the beginning of a file, `signal()` at its end, and a
  /// `guard` between the two. The importer goes away when the folder is done.
  ///
  /// **Why it breaks.** The guard returns without the signal. libdispatch takes a semaphore that
  /// goes away below its initial value for one that is still in use, and ends the program.
  ///
  /// **How it shows.** A crash in `_dispatch_semaphore_dispose` that names no line of the
  /// program, long after the broken file.
  ///
  /// **Repair.** `defer { slots.signal() }` right after the `wait()`.
  static let semaphoreFreedInUse = Scenario(
    id: "semaphore-freed-in-use", fault: .misuse,
    summary: "A semaphore is released while one of its signals is missing.",
    expectations: [
      .flawed: .init(.traps, observe: .finds("semaphoreMisuse")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let importer = Importer()
      for file in ["a.csv", "broken", "b.csv"] { importer.read(file) }
    },
    repaired: {
      let importer = Importer()
      for file in ["a.csv", "broken", "b.csv"] { importer.readCarefully(file) }
    })
}

private final class Importer {
  private let slots = DispatchSemaphore(value: 2)
  private var rows = 0

  func read(_ file: String) {
    slots.wait()
    guard file.hasSuffix(".csv") else { return }
    rows += 1
    slots.signal()
  }

  func readCarefully(_ file: String) {
    slots.wait()
    defer { slots.signal() }
    guard file.hasSuffix(".csv") else { return }
    rows += 1
  }
}
