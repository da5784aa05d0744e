import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

@testable import ThreadmillSymbols

/// Damaged files cause no trap and no endless loop, and what is intact is still read.
@Suite struct DamageTests {
  private static let samples = [
    Sample.gccOptimised, .clangOptimised, .clangOldFormat, .swiftOptimised,
  ]
  private static let seed: UInt64 = 31

  /// Bytes of a file that may be changed, and addresses to look up.
  private struct Patient {
    var bytes: [UInt8]
    let addresses: [UInt64]

    init(_ sample: Sample, _ dice: inout Dice) async throws {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      let file = try await sample.file(in: directory)
      bytes = [UInt8](try Data(contentsOf: file))
      let code = try await file.codeAddresses()
      addresses = (0..<20).map { _ in UInt64.random(in: code, using: &dice) }
    }

    /// Returns the number of frames that are found.
    func lookUp() -> Int {
      bytes.withUnsafeBytes { buffer in
        guard let image = SymbolImage(buffer) else { return 0 }
        for address in addresses { _ = image.variable(at: address) }
        _ = image.code(ofFilesNamed: "adding.c")
        return addresses.reduce(0) { $0 + image.frames(at: $1, orNear: true).count }
      }
    }

    /// Returns the place of a section's contents in the file; empty if there is none.
    func section(_ name: StaticString) -> Range<Int> {
      bytes.withUnsafeBytes { buffer in
        let contents = ELFFile(buffer)?.contents(name)
        guard let start = contents?.baseAddress, let base = buffer.baseAddress else { return 0..<0 }
        return (start - base)..<(start - base + (contents?.count ?? 0))
      }
    }
  }

  private static let sections: [StaticString] = [
    ".debug_info", ".debug_abbrev", ".debug_line", ".debug_ranges", ".debug_rnglists",
    ".debug_str_offsets", ".debug_addr", ".debug_line_str", ".symtab", ".shstrtab",
  ]

  /// Changes up to eight bytes within each section, 150 times, and each byte of the file's header.
  @Test(.enabled(if: Tool.readelf.isThere, "there is no readelf"), arguments: samples)
  func changedBytes(_ sample: Sample) async throws {
    var dice = Dice(seed: Self.seed)
    let whole = try await Patient(sample, &dice)
    #expect(whole.lookUp() > 0)
    for section in Self.sections.map(whole.section) where !section.isEmpty {
      for _ in 0..<150 {
        var patient = whole
        for _ in 0..<Int.random(in: 1...8, using: &dice) {
          let place = Int.random(in: section, using: &dice)
          patient.bytes[place] = Self.value(&dice)
        }
        _ = patient.lookUp()
      }
    }
    headers(whole, &dice)
  }

  /// Returns any byte, or a boundary value.
  private static func value(_ dice: inout Dice) -> UInt8 {
    let border: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
    return Bool.random(using: &dice)
      ? UInt8.random(in: 0...255, using: &dice) : border[Int.random(in: 0..<5, using: &dice)]
  }

  private func headers(_ whole: Patient, _ dice: inout Dice) {
    for place in 0..<64 {
      var patient = whole
      patient.bytes[place] = Self.value(&dice)
      _ = patient.lookUp()
    }
  }

  @Test(.enabled(if: Tool.readelf.isThere, "there is no readelf"), arguments: samples)
  func filesThatEndEarly(_ sample: Sample) async throws {
    var dice = Dice(seed: Self.seed)
    let whole = try await Patient(sample, &dice)
    for _ in 0..<150 {
      var patient = whole
      patient.bytes.removeLast(Int.random(in: 1..<patient.bytes.count, using: &dice))
      _ = patient.lookUp()
    }
  }

  /// A unit that cannot be read is counted, and its functions keep their names for the linker.
  @Test(.enabled(if: Tool.clang.isThere && Tool.readelf.isThere, "there is no clang"))
  func brokenUnitsAreCounted() async throws {
    var dice = Dice(seed: Self.seed)
    var patient = try await Patient(.clang, &dice)
    let expected = patient.bytes.withUnsafeBytes { buffer in
      SymbolImage(buffer).map { image in patient.addresses.map { image.frames(at: $0).last?.name } }
    }
    for place in patient.section(".debug_abbrev") { patient.bytes[place] = 0 }
    patient.bytes.withUnsafeBytes { buffer in
      guard let image = SymbolImage(buffer) else {
        Issue.record("it was refused")
        return
      }
      let frames = patient.addresses.map { image.frames(at: $0) }
      #expect(frames.map(\.last?.name) == expected)
      #expect(frames.joined().allSatisfy { $0.file == nil })
      #expect(image.brokenUnits == 1)
    }
  }

  @Test func whatIsNoExecutableIsRefused() {
    for bytes in [[], [0x7F], Array("\u{7F}ELF".utf8), [UInt8](repeating: 0, count: 100)] {
      bytes.withUnsafeBytes { #expect(SymbolImage($0) == nil) }
    }
  }
}
