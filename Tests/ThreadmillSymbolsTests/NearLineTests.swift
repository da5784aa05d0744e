import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

@testable import ThreadmillSymbols

/// Code that the compiler has added has no line; on request it gets a line of its function.
@Suite(.enabled(if: Tool.readelf.isThere, "nothing says where the code lies"))
struct NearLineTests {
  private static let seed: UInt64 = 32
  private static let count = 400
  /// The number of bytes to each side in which lines of the same code are looked for.
  private static let reach: UInt64 = 1_000

  private static let samples = [Sample.swift, .swiftOptimised, .clangOptimised]

  @Test(arguments: samples)
  func codeWithoutALineHasThatOfTheCodeAround(_ sample: Sample) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = try await sample.file(in: directory)
    let code = try await file.codeAddresses()
    var dice = Dice(seed: Self.seed)
    let addresses = (0..<Self.count).map { _ in UInt64.random(in: code, using: &dice) }
    let data = try Data(contentsOf: file, options: .alwaysMapped)
    try data.withUnsafeBytes { bytes in
      let image = try #require(SymbolImage(bytes))
      var lacking = 0
      for address in addresses {
        let exact = image.frames(at: address)
        let near = image.frames(at: address, orNear: true)
        #expect(near.map(\.name) == exact.map(\.name))
        guard exact.first?.line == 0 else {
          #expect(near == exact)
          continue
        }
        let around = lines(around: address, image, exact)
        let line = near.first?.line ?? 0
        // Inlined code without any line has the line of its call.
        let hasCall = line == 0 && near.contains { $0.line > 0 }
        #expect(around.isEmpty || around.contains(line) || hasCall, "\(near)")
        lacking += around.isEmpty ? 0 : 1
      }
      #expect(lacking > 0)
    }
  }

  /// Returns the lines of code around an address, in the same function and the same inlined calls.
  private func lines(
    around address: UInt64, _ image: SymbolImage, _ exact: [SymbolImage.Frame]
  ) -> Set<Int> {
    guard let offset = exact.last?.offset else { return [] }
    let start = address - offset
    var lines: Set<Int> = []
    for other in max(start, address - Self.reach)..<(address + Self.reach) {
      let frames = image.frames(at: other)
      guard let last = frames.last, other - last.offset == start,
        frames.map(\.name) == exact.map(\.name), let line = frames.first?.line, line > 0
      else { continue }
      lines.insert(line)
    }
    return lines
  }
}
