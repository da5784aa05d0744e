import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

@testable import ThreadmillSymbols

/// Our reader of symbols and LLVM's share no code and agree completely: on function, file, line,
/// column, and inlined calls.
@Suite(
  .enabled(
    if: Tool.symbolizer.isThere && Tool.readelf.isThere, "there is no symboliser to compare with"))
struct AgreementTests {
  /// A frame in the form in which both readers can be compared.
  private struct Named: Equatable, CustomStringConvertible {
    var function: String
    var place: String
    var description: String { "\(function) at \(place)" }

    /// A line of zero is no line.
    init(function: String, file: String, line: Int, column: Int) {
      self.function = function
      place =
        line > 0 ? "\(URL(filePath: file).standardizedFileURL.path):\(line):\(column)" : "nowhere"
    }
  }

  private static let seed: UInt64 = 20
  private static let count = 2_000

  @Test(arguments: Sample.allCases)
  func bothSayTheSame(_ sample: Sample) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = try await sample.file(in: directory)
    let code = try await file.codeAddresses()
    var dice = Dice(seed: Self.seed)
    let addresses = (0..<Self.count).map { _ in UInt64.random(in: code, using: &dice) }
    let (ours, inlined) = try own(file, addresses)
    let theirs = try await llvms(file, addresses)
    try #require(theirs.count == addresses.count)
    var different: [String] = []
    for (address, (own, other)) in zip(addresses, zip(ours, theirs)) where own != other {
      different.append("\(String(address, radix: 16)): \(own) against \(other)")
    }
    #expect(different == [])
    #expect(ours.filter { !$0.isEmpty }.count > Self.count / 4)
    #expect(sample.hasLines == ours.joined().contains { $0.place != "nowhere" })
    #expect(sample.hasLines == (inlined > 0))
  }

  /// The code of a file's lines, and the line of an address, are two ways to read one table. The
  /// end of a piece may be room between two functions, which has no name.
  @Test(arguments: Sample.allCases.filter { $0.source != nil })
  func theCodeOfALineIsAtThatLine(_ sample: Sample) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = try await sample.file(in: directory)
    let data = try Data(contentsOf: file, options: .alwaysMapped)
    let name = try #require(sample.source)
    try data.withUnsafeBytes { bytes in
      let image = try #require(SymbolImage(bytes))
      let code = image.code(ofFilesNamed: name)
      #expect(code.keys.allSatisfy { $0.hasSuffix("Symbols/\(name)") } && code.count == 1)
      let lines = try #require(code.values.first)
      #expect(lines.count > 10)
      for (line, pieces) in lines {
        for piece in pieces {
          let frame = try #require(image.frames(at: piece.lowerBound).first)
          #expect(frame.line == line && frame.file?.hasSuffix("Symbols/\(name)") == true)
        }
      }
      #expect(image.code(ofFilesNamed: "other.c").isEmpty)
    }
  }

  /// Of a static variable in C, whatever compiler and version of DWARF wrote of it.
  @Test(
    arguments: [
      Sample.gcc, .gccOptimised, .gccOldFormat, .clang, .clangOptimised, .clangOldFormat,
    ])
  func aVariableHasItsNameAndItsLine(_ sample: Sample) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = try await sample.file(in: directory)
    let symbols = try await Tool.readelf.run("-sW", file.path).split(separator: "\n")
    let words = try #require(symbols.first { $0.hasSuffix(" lock") }).split(separator: " ")
    let address = try #require(UInt64(words[1], radix: 16))
    let data = try Data(contentsOf: file, options: .alwaysMapped)
    try data.withUnsafeBytes { bytes in
      let image = try #require(SymbolImage(bytes))
      for offset in [0, 4] as [UInt64] {
        let variable = try #require(image.variable(at: address + offset))
        #expect((variable.name, variable.offset, variable.line) == ("lock", offset, 8))
        #expect(variable.file?.hasSuffix("Symbols/adding.c") == true)
      }
      #expect(image.variable(at: address + 4_096 * 64) == nil)
    }
  }

  private func own(
    _ file: URL, _ addresses: [UInt64]
  ) throws -> (frames: [[Named]], inlined: Int) {
    let data = try Data(contentsOf: file, options: .alwaysMapped)
    return try data.withUnsafeBytes { bytes in
      let image = try #require(SymbolImage(bytes))
      let frames = addresses.map { image.frames(at: $0) }
      #expect(image.brokenUnits == 0)
      let named = frames.map { stack in
        stack.map {
          Named(function: $0.name, file: $0.file ?? "", line: $0.line, column: $0.column)
        }
      }
      return (named, frames.joined().count(where: \.isInlined))
    }
  }

  /// Returns LLVM's frames. Its output has two lines for each frame, and an empty one after each
  /// address.
  private func llvms(_ file: URL, _ addresses: [UInt64]) async throws -> [[Named]] {
    let words = ["--inlines", "--no-demangle", "--output-style=LLVM", "-e", file.path]
    let text = try await Tool.symbolizer.run(words + addresses.map { "0x" + String($0, radix: 16) })
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
    var result: [[Named]] = []
    while lines.count > 1 {
      var stack: [Named] = []
      while lines.count > 1, let function = lines.first, !function.isEmpty {
        let place = lines.dropFirst().first?.split(separator: ":") ?? []
        lines = lines.dropFirst(2)
        if function == "??" { continue }
        stack.append(
          Named(
            function: function, file: place.dropLast(2).joined(separator: ":"),
            line: place.dropLast().last.flatMap { Int($0) } ?? 0,
            column: place.last.flatMap { Int($0) } ?? 0))
      }
      lines = lines.dropFirst()
      result.append(stack)
    }
    return result
  }
}
