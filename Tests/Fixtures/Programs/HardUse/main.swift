import Foundation

// Foundation and Dispatch used hard and used right. Threadmill is linked and never called; whatever
// it has to say about this program is wrong.

let modes: [String: @Sendable (Int) -> Int] = [
  "operations": operations, "asyncs": asyncs, "mix": mix,
]
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2, let mode = modes[arguments[0]], let number = Int(arguments[1]) else {
  FileHandle.standardError.write(Data("usage: harness-hard-use operations|asyncs|mix N\n".utf8))
  exit(2)
}

// The second half may not need more memory than the first, but for what grows with chance.
let first = mode(number / 2)
let half = Memory.peak
let second = mode(number - number / 2)
print("done \(first + second) of \(number)")
print("peak \(half) kB after one half, \(Memory.peak) kB after both")
exit(first + second == number ? 0 : 1)

enum Memory {
  /// The most that ever was resident, in kB.
  static var peak: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
