import Foundation

// One case in one process. Threadmill is linked and never called.

@main struct Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, arguments.count) {
    case ("list", 1): for name in cases.keys.sorted() { print(name) }
    case ("waves", 3): waves(Int(arguments[2]) ?? 0, of: Int(arguments[3]) ?? 0)
    case (let name?, 1): cases[name, default: refuse]()
    default: refuse()
    }
  }

  private static let cases = correctCases.merging(faultyCases) { $1 }

  private static func refuse() {
    FileHandle.standardError.write(Data("usage: operations list | CASE | waves N SIZE\n".utf8))
    exit(2)
  }
}

/// Does nothing, and has a name of its own.
final class Step: Operation, @unchecked Sendable {
  init(_ name: String) {
    super.init()
    self.name = name
  }

  override func main() {}
}

func steps(_ count: Int) -> [Step] { (0..<count).map { Step("step \($0)") } }

/// Many operations, each of which waits for three earlier ones of its wave; prints the most memory
/// that was in use, in KiB.
func waves(_ count: Int, of size: Int) {
  let queue = OperationQueue()
  for _ in 0..<count {
    let wave = (0..<size).map { _ in BlockOperation {} }
    for (index, operation) in wave.enumerated().reversed() {
      for earlier in [index - 1, index / 2, index * 7 / 9] where earlier >= 0 && earlier < index {
        operation.addDependency(wave[earlier])
      }
    }
    queue.addOperations(wave, waitUntilFinished: true)
    for operation in wave where !operation.isFinished { exit(3) }
  }
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
  print(peak.filter(\.isNumber))
}
