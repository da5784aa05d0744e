import Foundation

// Runs one case: objects that are used where they belong, or elsewhere.

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments {
case ["list"]: for sample in Case.all { print(sample.name, sample.isRight ? "right" : "wrong") }
default:
  guard let sample = Case.all.first(where: { $0.name == arguments.first }) else {
    FileHandle.standardError.write(Data("usage: harness-confinement list | NAME\n".utf8))
    exit(2)
  }
  sample.run()
}
