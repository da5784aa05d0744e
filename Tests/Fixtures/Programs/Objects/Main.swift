import Foundation

// One way to treat a group, semaphore, queue or source. Threadmill is linked and never called.

@main struct Main {
  static func main() {
    let cases = groupCases.merging(releaseCases) { first, _ in first }
      .merging(mainQueueCases) { first, _ in first }
      .merging(groupWaitCases) { first, _ in first }
      .merging(lockCases) { first, _ in first }
      .merging(namedCases) { first, _ in first }
    guard CommandLine.arguments.count == 2, let run = cases[CommandLine.arguments[1]] else {
      FileHandle.standardError.write(Data("usage: objects CASE\n".utf8))
      exit(2)
    }
    run()
  }
}
