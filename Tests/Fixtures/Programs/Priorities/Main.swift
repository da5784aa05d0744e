import Foundation

// One case in one process. Threadmill is linked and never called.

@main struct Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments == ["list"] { return print(Case.all.map(\.name).joined(separator: "\n")) }
    guard arguments.count == 1, let sample = Case.all.first(where: { $0.name == arguments.first })
    else {
      FileHandle.standardError.write(Data("usage: priorities list | CASE\n".utf8))
      exit(2)
    }
    sample.body()
  }
}

/// A wait between two pieces of work, each with a quality of service of its own.
struct Case: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  static let all: [Case] = inverted + crowded + innocent + hardlyHeld
}
