@testable import ThreadmillCommand

/// Machines that nobody has to own.
extension MachineFacts {
  /// All is well.
  static let healthy = MachineFacts(
    system: System(name: "Linux", library: .glibc(version: "2.36"), architecture: "x86_64"),
    toolchain: Toolchain(
      version: "6.3.1", root: "/opt/swift/usr", sanitizerRuntime: "/opt/swift/usr/lib/tsan.a",
      buildSystem: "native"),
    randomization: Randomization(bits: 28, canBeSwitchedOff: true),
    trial: .reported(isNamed: true), layouts: .compared(differing: [], unknown: []),
    libraries: ToolFile.Product.allCases.map { Library(product: $0, place: .there) },
    unwinder: Unwinder(isLoadable: true, hasHeader: true),
    symbolizer: Symbolizer(
      onPath: "/usr/bin/llvm-symbolizer", inToolchain: "/opt/swift/usr/bin/llvm-symbolizer"),
    processors: Processors(online: 2, usable: 2, quota: nil), threadmillOptions: nil,
    sanitizerOptions: nil,
    executable: nil)

  /// The one of the README: a large machine, a container on it, and a test binary.
  static let readme = healthy.with {
    $0.randomization.bits = 32
    $0.trial = .refused(
      "FATAL: ThreadSanitizer: memory layout is incompatible", withoutRandomization: true)
    $0.unwinder = Unwinder(isLoadable: false, hasHeader: false)
    $0.processors = Processors(online: 16, usable: 16, quota: 1.5)
    $0.threadmillOptions = "hang=never"
    $0.executable = Executable(
      path: ".build/debug/BankPackageTests.xctest",
      content: .program(Executable.Parts(hasGate: true, hasSymbols: true, hasLines: true)))
  }

  func with(_ change: (inout MachineFacts) -> Void) -> MachineFacts {
    var facts = self
    change(&facts)
    return facts
  }

  /// The same, with these parts in a program that was asked about.
  func with(program parts: Executable.Parts) -> MachineFacts {
    with { $0.executable = Executable(path: "bank", content: .program(parts)) }
  }

  func diagnosis(_ check: String) -> Diagnosis? { diagnoses.first { $0.check == check } }
}
