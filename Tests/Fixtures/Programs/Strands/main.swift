import Foundation
import Threadmill

// Programs whose blocks and tasks race, or do not, whichever threads run them. With Thread
// Sanitizer, each case named `race…` is reported, and no other.

let cases = raceCases.merging(queueCases) { a, _ in a }.merging(taskCases) { a, _ in a }
  .merging(foundationCases) { a, _ in a }.merging(manyCases) { a, _ in a }

guard CommandLine.arguments.count > 1, CommandLine.arguments[1] != "list" else {
  for name in cases.keys.sorted() { print(name) }
  exit(0)
}
let times = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 1 : 1
for name in CommandLine.arguments[1].split(separator: ",") {
  guard let body = cases[String(name)] else {
    FileHandle.standardError.write(Data("harness-strands: no case \(name)\n".utf8))
    exit(2)
  }
  for _ in 0..<times { body() }
}
