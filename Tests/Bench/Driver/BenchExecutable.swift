import Foundation
import ThreadmillBenchCases

/// One of the two measuring programs, which lie next to the driver.
struct BenchExecutable {
  let name: String

  static let bare = BenchExecutable(name: "threadmill-bench-bare")
  static let observed = BenchExecutable(name: "threadmill-bench-observed")

  /// Runs one mode to its end and returns the words of each line that it printed.
  ///
  /// Throws `BenchError` if the program cannot be started or does not end with 0. Its standard
  /// error is the driver's own.
  func run(_ mode: BenchProgram.Mode, _ name: String? = nil) throws -> [[String]] {
    let arguments = [mode.rawValue] + (name.map { [$0] } ?? [])
    let call = "\(self.name) \(arguments.joined(separator: " "))"
    let process = Process()
    let output = Pipe()
    process.executableURL = Self.folder.appendingPathComponent(self.name)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    do { try process.run() } catch { throw BenchError("cannot start \(call): \(error)") }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let how = process.terminationReason == .exit ? "exit status" : "signal"
      throw BenchError("\(call) ended with \(how) \(process.terminationStatus)")
    }
    return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  /// The same for lines of a name and a number; returns the numbers by name, in their order.
  func numbers(_ mode: BenchProgram.Mode, _ name: String? = nil) throws -> [String: [Double]] {
    var numbers: [String: [Double]] = [:]
    for words in try run(mode, name) {
      guard words.count == 2, let number = Double(words[1]) else {
        throw BenchError("\(self.name) \(mode.rawValue) printed \(words)")
      }
      numbers[words[0], default: []].append(number)
    }
    return numbers
  }

  private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
}

/// The benchmark could not do its work: exit status 3.
struct BenchError: Error {
  let message: String
  init(_ message: String) { self.message = message }
}
