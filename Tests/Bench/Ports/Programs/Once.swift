import Foundation

extension Port {
  /// In seconds. A run without a deadlock takes a twentieth of that, also under jitter.
  private static let limit: UInt32 = 3

  /// Runs the program that the first argument names, once and without control. With `list`, prints
  /// the names instead. Exit status: 0; 1 the program's check failed; 2 wrong usage. SIGALRM ends a
  /// deadlock.
  package static func runOnce() -> Never {
    let name = CommandLine.arguments.dropFirst().first
    if name == "list" {
      for port in all { print(port.name) }
      exit(0)
    }
    guard let port = all.first(where: { $0.name == name }) else { exit(2) }
    alarm(limit)
    do {
      try port.body()
      _exit(0)
    } catch {
      _exit(1)
    }
  }
}
