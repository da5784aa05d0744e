import Foundation

// One case in one process. Threadmill is linked and never called.

@main struct Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 1, let name = arguments.first else { refuse() }
    if name == "list" {
      for name in Case.all.map(\.name) { print(name) }
    } else if let sample = Case.named(name) {
      sample.body()
    } else {
      refuse()
    }
  }

  private static func refuse() -> Never {
    FileHandle.standardError.write(Data("usage: confirming list | CASE\n".utf8))
    exit(2)
  }
}

/// A program that takes two locks in opposite orders, one after the other, and so ends.
struct Case: Sendable {
  let name: String
  /// Runs on the main thread.
  let body: @Sendable () -> Void

  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  static let all: [Case] = possible + impossible

  static func named(_ name: String) -> Case? { all.first { $0.name == name } }
}
