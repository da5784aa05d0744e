import CBenchPorts
import Foundation

/// A small concurrent program with one mistake.
package struct Port: Sendable {
  package let name: String
  /// Runs it once; throws ``Wrong`` if its check failed.
  package let body: @Sendable () throws -> Void

  /// The check of a program failed.
  package struct Wrong: Error {}

  init(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
    (self.name, self.body) = (name, body)
  }

  /// All programs, those in C first.
  package static let all: [Port] = inC + inSwift

  private static let inC: [Port] = [
    of(bench_order), of(bench_stage), of(bench_lock), of(bench_counter), of(bench_exclusion),
    of(bench_flag), of(bench_queue), of(bench_steal), of(bench_handover), of(bench_kernel),
  ].flatMap(\.self)

  /// - Parameter list: returns the entry with a number, up to the one without a name.
  private static func of(_ list: (Int32) -> bench_port) -> [Port] {
    var ports: [Port] = []
    while let name = list(Int32(ports.count)).name, let run = list(Int32(ports.count)).run {
      ports.append(Port(String(cString: name)) { if run() { throw Wrong() } })
    }
    return ports
  }
}

/// Runs each body on a POSIX thread of its own, and waits for all of them.
func onThreads(_ bodies: [@Sendable () -> Void]) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var threads: [pthread_t] = []
  for body in bodies {
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
