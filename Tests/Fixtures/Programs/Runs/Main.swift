import Foundation

// One case in one process. Threadmill is linked and never called.

@main struct Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments == ["list"] { return print(Case.all.map(\.name).joined(separator: "\n")) }
    guard arguments.count == 1, let sample = Case.all.first(where: { $0.name == arguments.first })
    else {
      FileHandle.standardError.write(Data("usage: runs list | CASE\n".utf8))
      exit(2)
    }
    sample.body()
  }
}

/// Somebody takes two locks in the order that the main thread does not: what differs is what that
/// code runs on.
struct Case: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  static let all: [Case] =
    blocks + pools + tasks + turnstiles + waits + [Case("qualities", printQualities)]
}
