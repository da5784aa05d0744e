import Foundation
import ThreadmillModel

extension MachineFacts {
  /// Looks at this machine: the one place that does.
  ///
  /// Takes about a second: starts the compiler, what it has built, and a watched program, unless
  /// `quick`.
  ///
  /// - Parameter executable: a program to look into as well.
  package static func gather(
    quick: Bool, executable: String?, environment: [String: String]
  ) -> MachineFacts {
    let programs = ProgramFinder(environment: environment)
    let system = System.current
    let toolchain = Toolchain.find(programs, architecture: system.architecture)
    return MachineFacts(
      system: system,
      toolchain: toolchain,
      randomization: .find(programs),
      trial: quick ? .skipped : SanitizerTrial.run(with: toolchain, programs),
      layouts: quick ? .skipped : LayoutTrial.run(programs),
      libraries: ToolFile.Product.allCases.map { .init(product: $0, place: .of($0)) },
      unwinder: .find(architecture: system.architecture),
      symbolizer: Symbolizer(
        onPath: programs.path(of: "llvm-symbolizer"),
        inToolchain: toolchain.flatMap { programs.path(of: "llvm-symbolizer", in: $0.root) }),
      processors: .current,
      threadmillOptions: environment[Options.variable],
      sanitizerOptions: environment["TSAN_OPTIONS"],
      executable: executable.map { Executable(examining: $0) })
  }
}

extension MachineFacts.System {
  fileprivate static var current: Self {
    var names = utsname()
    uname(&names)
    return Self(
      name: withUnsafeBytes(of: &names.sysname, text), library: .current,
      architecture: withUnsafeBytes(of: &names.machine, text))
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension MachineFacts.System.Library {
  fileprivate static var current: Self {
    #if canImport(Glibc)
      .glibc(version: glibcVersion)
    #elseif canImport(Musl)
      .musl
    #else
      .other
    #endif
  }

  #if canImport(Glibc)
    /// `2.36` of `glibc 2.36`.
    private static var glibcVersion: String {
      var text = [UInt8](repeating: 0, count: 64)
      let size = text.withUnsafeMutableBytes {
        confstr(Int32(_CS_GNU_LIBC_VERSION), $0.baseAddress, $0.count)
      }
      let words = text.prefix(max(0, size - 1)).split(separator: UInt8(ascii: " "))
      return words.last.map { String(decoding: $0, as: UTF8.self) } ?? "unknown"
    }
  #endif
}

extension MachineFacts.Randomization {
  fileprivate static func find(_ programs: ProgramFinder) -> Self {
    let text = try? String(contentsOfFile: "/proc/sys/vm/mmap_rnd_bits", encoding: .utf8)
    let isAllowed = programs.path(of: "setarch").map {
      programs.run($0, ["-R", "true"])?.outcome == .exited(0)
    }
    return Self(
      bits: text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) },
      canBeSwitchedOff: isAllowed)
  }
}

extension MachineFacts.Unwinder {
  fileprivate static func find(architecture: String) -> Self {
    let folders = ["/usr/include", "/usr/include/\(architecture)-linux-gnu", "/usr/local/include"]
    let library = dlopen("libunwind.so.8", RTLD_LAZY | RTLD_LOCAL)
    if let library { dlclose(library) }
    return Self(
      isLoadable: library != nil,
      hasHeader: folders.contains {
        FileManager.default.fileExists(atPath: "\($0)/libunwind.h")
      })
  }
}

extension MachineFacts.Library.Place {
  fileprivate static func of(_ product: ToolFile.Product) -> Self {
    if (try? ToolFile(product)) != nil { return .there }
    return ToolBuild.canProvide(product) ? .buildable : .missing
  }
}
