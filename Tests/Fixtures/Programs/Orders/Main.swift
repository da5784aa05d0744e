import Foundation

// One case in one process. Threadmill is linked and never called.

@main struct Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, arguments.last, arguments.count) {
    case ("list", _, 1): for name in Case.all.map(\.name) { print(name) }
    case (let name?, "ordered", 2): run(name, isOrdered: true)
    case (let name?, "unordered", 2): run(name, isOrdered: false)
    default: refuse()
    }
  }

  private static func run(_ name: String, isOrdered: Bool) {
    guard let sample = Case.named(name) else { refuse() }
    switch sample.body {
    case .code(let body): body(isOrdered)
    case .task(let body):
      let ended = DispatchSemaphore(value: 0)
      Task.detached {
        await body(isOrdered)
        ended.signal()
      }
      ended.wait()
    }
  }

  private static func refuse() -> Never {
    FileHandle.standardError.write(Data("usage: orders list | CASE ordered|unordered\n".utf8))
    exit(2)
  }
}
