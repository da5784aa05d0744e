// What naming the frames of a stack costs, by our reader and by the toolchain's, side by side in
// one process: the first look-up, as in a program with one finding.
//
// Prints milliseconds of processor time. Exit status: 0 if ours takes no more than its limit and a
// tenth of the toolchain's, and finds a line for as many places; 1 otherwise; 3 if it cannot be
// measured.
import Foundation
import Runtime
import ThreadmillSymbols

let depth = 40
let limit = 30.0

func milliseconds<R>(_ body: () -> R) -> (R, Double) {
  let start = clock()
  let result = body()
  return (result, Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1_000)
}

func fail(_ words: String) -> Never {
  FileHandle.standardError.write(Data("bench-names: \(words)\n".utf8))
  exit(3)
}

/// The stack of calls that go down `count` times.
@inline(never) func descend(_ count: Int) -> Backtrace {
  guard count > 1 else {
    guard let stack = try? Backtrace.capture(limit: depth) else { fail("there is no stack") }
    return stack
  }
  let stack = count.isMultiple(of: 2) ? descend(count - 1) : [count].map { descend($0 - 1) }[0]
  return withExtendedLifetime(count) { stack }
}

/// The lines that our reader finds, of this program's own frames.
func ownLines(_ stack: Backtrace, _ file: Data, base: UInt64) -> Int {
  file.withUnsafeBytes { bytes in
    guard let image = SymbolImage(bytes) else { fail("the program cannot be read") }
    let addresses = stack.frames.compactMap { UInt64($0.adjustedProgramCounter) }
    let named = addresses.filter { image.frames(at: $0 &- base).contains { $0.file != nil } }
    return Set(named).count
  }
}

func toolchainLines(_ stack: Backtrace, _ images: ImageMap) -> Int {
  let named = stack.symbolicated(with: images)?.frames ?? []
  let lines = named.filter { ($0.symbol?.sourceLocation?.line ?? 0) > 0 }
  return Set(lines.compactMap { UInt64($0.captured.originalProgramCounter) }).count
}

let images = ImageMap.capture()
let stack = descend(depth)
guard let first = Array(stack.frames).first,
  let index = images.indexOfImage(at: first.adjustedProgramCounter),
  let base = UInt64(images[index].baseAddress),
  let file = try? Data(contentsOf: URL(filePath: "/proc/self/exe"), options: .alwaysMapped)
else { fail("the program is not among its images") }

let (own, ownTime) = milliseconds { ownLines(stack, file, base: base) }
let (other, otherTime) = milliseconds { toolchainLines(stack, images) }
print("places with a line  ours \(own), the toolchain's \(other), in \(depth) frames")
print(
  String(
    format: "processor time      ours %.1f ms, the toolchain's %.1f ms: %.0f times as long",
    ownTime,
    otherTime, otherTime / max(ownTime, 0.001)))
exit(own >= other && ownTime <= limit && ownTime * 10 <= otherTime ? 0 : 1)
