import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// An executable or a library that another compiler, version or setting has made.
enum Sample: String, CaseIterable, CustomTestStringConvertible {
  case ownProgram
  case gcc
  case gccOptimised
  case gccOldFormat
  case clang
  case clangOptimised
  case clangOldFormat
  case swift
  case swiftOptimised
  case swiftCore
  case dispatch

  var testDescription: String { rawValue }

  /// What makes it; `nil` if it is there already.
  private var tool: Tool? {
    switch self {
    case .gcc, .gccOptimised, .gccOldFormat: .compiler
    case .clang, .clangOptimised, .clangOldFormat: .clang
    case .swift, .swiftOptimised, .swiftCore, .dispatch: .swiftCompiler
    case .ownProgram: nil
    }
  }

  /// Whether it has debug information, and calls that were put in place.
  var hasLines: Bool { ![.swiftCore, .dispatch].contains(self) }

  /// The file that it is compiled from; `nil` if there are several.
  var source: String? {
    switch self {
    case .gcc, .gccOptimised, .gccOldFormat, .clang, .clangOptimised, .clangOldFormat: "adding.c"
    case .swift, .swiftOptimised: "banking.swift"
    case .ownProgram, .swiftCore, .dispatch: nil
    }
  }

  private static let sources = Checkout.root.appending(path: "Tests/Fixtures/Programs/Symbols")

  /// Makes it in a folder, or finds it. Cancels the test case if this machine lacks the tool.
  func file(in directory: TemporaryDirectory) async throws -> URL {
    if let tool, !tool.isThere { try Test.cancel("this machine cannot make \(rawValue)") }
    let file = directory.file(rawValue)
    switch self {
    case .ownProgram: return try Program.named("scenario-host")
    case .swiftCore: return library("libswiftCore.so")
    case .dispatch: return library("libdispatch.so")
    case .gcc: try await compileC(.compiler, "-g", to: file)
    case .gccOptimised: try await compileC(.compiler, "-g", "-O2", to: file)
    case .gccOldFormat: try await compileC(.compiler, "-g", "-gdwarf-3", "-O1", to: file)
    case .clang: try await compileC(.clang, "-g", to: file)
    case .clangOptimised: try await compileC(.clang, "-g", "-gdwarf-5", "-O2", to: file)
    case .clangOldFormat: try await compileC(.clang, "-g", "-gdwarf-4", "-O1", to: file)
    case .swift: try await compileSwift("-Onone", to: file)
    case .swiftOptimised: try await compileSwift("-O", to: file)
    }
    return file
  }

  private func compileC(_ compiler: Tool, _ flags: String..., to file: URL) async throws {
    let source = Self.sources.appending(path: "adding.c").path
    try await compiler.run(flags + ["-pthread", source, "-o", file.path])
  }

  private func compileSwift(_ flag: String, to file: URL) async throws {
    let source = Self.sources.appending(path: "banking.swift").path
    try await Tool.swiftCompiler.run(["-g", flag, source, "-o", file.path])
  }

  /// One that lies beside the compiler.
  private func library(_ name: String) -> URL {
    let compiler = URL(filePath: Tool.swiftCompiler.path ?? "").resolvingSymlinksInPath()
    let folder = compiler.deletingLastPathComponent().deletingLastPathComponent()
    return folder.appending(path: "lib/swift/linux/\(name)")
  }
}

/// The same numbers in every run.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension URL {
  /// Where the machine code of an executable lies, by readelf.
  func codeAddresses() async throws -> Range<UInt64> {
    let lines = try await Tool.readelf.run("-SW", path).split(separator: "\n")
    let words = lines.first { $0.contains(" .text ") }?.split(whereSeparator: " []".contains) ?? []
    guard words.count > 5, let start = UInt64(words[3], radix: 16),
      let size = UInt64(words[5], radix: 16)
    else { throw CocoaError(.fileReadCorruptFile) }
    return start..<(start + size)
  }
}
