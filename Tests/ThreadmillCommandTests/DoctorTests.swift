import Testing
import ThreadmillModel

@testable import ThreadmillCommand

/// Each check, held against facts that are made up.
@Suite struct DoctorTests {
  /// A healthy machine after a change, and what one check says of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let check: String
    let verdict: Diagnosis.Verdict
    let facts: MachineFacts

    init(_ check: String, _ verdict: Diagnosis.Verdict, _ change: (inout MachineFacts) -> Void) {
      self.check = check
      self.verdict = verdict
      facts = .healthy.with(change)
    }

    var testDescription: String { "\(check): \(facts.diagnosis(check)?.sentence ?? "nothing")" }
  }

  @Test func aHealthyMachineIsWell() {
    let diagnoses = MachineFacts.healthy.diagnoses
    #expect(
      diagnoses.map(\.check) == [
        "platform", "toolchain", "libraries", "layouts", "build system", "thread sanitizer",
        "libunwind", "symbols", "cores", "THREADMILL_OPTIONS", "TSAN_OPTIONS",
      ])
    #expect(diagnoses.allSatisfy { $0.verdict == .ok && $0.cure.isEmpty })
  }

  static let cases: [Case] = [
    Case("platform", .wrong) { $0.system.name = "Darwin" },
    Case("platform", .wrong) { $0.system.library = .musl },
    Case("platform", .warning) { $0.system.architecture = "aarch64" },
    Case("platform", .wrong) { $0.system.architecture = "riscv64" },
    Case("toolchain", .wrong) { $0.toolchain = nil },
    Case("toolchain", .wrong) { $0.toolchain?.version = "6.2.4" },
    Case("toolchain", .wrong) { $0.toolchain?.version = "5.10" },
    Case("toolchain", .ok) { $0.toolchain?.version = "6.3" },
    Case("toolchain", .ok) { $0.toolchain?.version = "6.3.2" },
    Case("toolchain", .warning) { $0.toolchain?.version = "6.4" },
    Case("toolchain", .warning) { $0.toolchain?.version = "6.30" },
    Case("toolchain", .warning) { $0.toolchain?.version = "10.0" },
    Case("libraries", .ok) { $0.libraries[1].place = .buildable },
    Case("libraries", .wrong) { $0.libraries[0].place = .missing },
    Case("libraries", .wrong) {
      $0.libraries[0].place = .buildable
      $0.libraries[2].place = .missing
    },
    Case("layouts", .ok) { $0.layouts = .skipped },
    Case("layouts", .ok) { $0.layouts = .noLibrary },
    Case("layouts", .warning) { $0.layouts = .failed("it said nothing") },
    Case("layouts", .warning) { $0.layouts = .compared(differing: ["actor"], unknown: []) },
    Case("layouts", .warning) { $0.layouts = .compared(differing: [], unknown: ["keyPath"]) },
    Case("build system", .warning) { $0.toolchain?.buildSystem = "swiftbuild" },
    Case("build system", .warning) { $0.toolchain?.buildSystem = nil },
    Case("libunwind", .warning) { $0.unwinder.isLoadable = false },
    Case("libunwind", .warning) { $0.unwinder.hasHeader = false },
    Case("cores", .warning) { $0.processors.usable = 1 },
    Case("cores", .ok) { $0.processors = .init(online: 64, usable: 64, quota: 3) },
    Case("THREADMILL_OPTIONS", .ok) { $0.threadmillOptions = "" },
    Case("THREADMILL_OPTIONS", .ok) { $0.threadmillOptions = "hang=5 pool=2" },
    Case("THREADMILL_OPTIONS", .warning) { $0.threadmillOptions = "detect=false" },
    Case("THREADMILL_OPTIONS", .wrong) { $0.threadmillOptions = "hnag=5" },
    Case("TSAN_OPTIONS", .ok) { $0.sanitizerOptions = "detect_deadlocks=1 atexit_sleep_ms=0" },
    Case("TSAN_OPTIONS", .ok) { $0.sanitizerOptions = "report_bugs=0:report_bugs=1" },
    Case("TSAN_OPTIONS", .wrong) { $0.sanitizerOptions = "exitcode=0:report_bugs=0" },
    Case("TSAN_OPTIONS", .warning) { $0.sanitizerOptions = "exitcode=0" },
    Case("TSAN_OPTIONS", .warning) { $0.sanitizerOptions = "halt_on_error='1'" },
    Case("TSAN_OPTIONS", .warning) { $0.sanitizerOptions = "ignore_interceptors_accesses=no" },
  ]

  static let sanitizerCases: [Case] = [
    Case("thread sanitizer", .wrong) { $0.toolchain?.sanitizerRuntime = nil },
    Case("thread sanitizer", .wrong) { $0.trial = .notBuilt("no room") },
    Case("thread sanitizer", .wrong) { $0.trial = .silent },
    Case("thread sanitizer", .wrong) { $0.trial = .timedOut },
    Case("thread sanitizer", .ok) { $0.trial = .skipped },
    Case("thread sanitizer", .ok) { $0.trial = .noCompiler },
    // The trial is worth more than the number.
    Case("thread sanitizer", .ok) { $0.randomization.bits = 32 },
    Case("thread sanitizer", .ok) { $0.randomization = .init(bits: nil, canBeSwitchedOff: false) },
    Case("thread sanitizer", .warning) {
      $0.randomization = .init(bits: 32, canBeSwitchedOff: false)
    },
    Case("symbols", .warning) { $0.trial = .reported(isNamed: false) },
    Case("symbols", .warning) {
      $0.trial = .reported(isNamed: false)
      $0.symbolizer.onPath = nil
    },
    Case("symbols", .warning) {
      $0.trial = .skipped
      $0.symbolizer = .init(onPath: nil, inToolchain: nil)
    },
    Case("symbols", .ok) { $0.trial = .skipped },
  ]

  @Test(arguments: cases + sanitizerCases) func aChangeIsNoticed(_ sample: Case) throws {
    try expect(sample.check, sample.verdict, sample.facts)
  }

  /// What it says is what was asked for, and whoever is not well is told what to do.
  private func expect(
    _ check: String, _ verdict: Diagnosis.Verdict, _ facts: MachineFacts
  ) throws {
    let diagnosis = try #require(facts.diagnosis(check))
    #expect(diagnosis.verdict == verdict, "\(diagnosis.sentence)")
    let hasNothingToAsk = check == "thread sanitizer" && facts.toolchain == nil
    #expect(diagnosis.cure.isEmpty == (verdict == .ok || hasNothingToAsk))
  }

  @Test func addressRandomisationHasACure() {
    let without = "setarch -R swift test --sanitize=thread"
    let fewer = "sudo sysctl vm.mmap_rnd_bits=28"
    let cure = { (bits: Int, isAllowed: Bool?, helps: Bool) -> [String] in
      MachineFacts.healthy.with {
        $0.randomization = .init(bits: bits, canBeSwitchedOff: isAllowed)
        $0.trial = .refused("FATAL: no", withoutRandomization: helps)
      }.diagnosis("thread sanitizer")?.cure.map(Self.command) ?? []
    }
    #expect(cure(32, true, true) == [without, fewer])
    #expect(cure(28, true, true) == [without, fewer])
    #expect(cure(32, nil, false) == [fewer])
    // A container that forbids personality(2) forbids setarch -R as well.
    let forbidden = cure(32, false, false)
    #expect(forbidden == ["docker run --security-opt seccomp=unconfined …", fewer])
    let quick = MachineFacts.healthy.with {
      $0.randomization.bits = 32
      $0.trial = .skipped
    }.diagnosis("thread sanitizer")
    #expect(quick?.verdict == .warning)
    #expect(quick?.cure.map(Self.command) == [without, fewer])
  }

  /// A cure without what is remarked behind it.
  private static func command(_ cure: String) -> String {
    cure.split(separator: "#")[0].split(separator: " ").joined(separator: " ")
  }

  @Test func aSymbolizerOffThePathIsNamed() {
    let cure = MachineFacts.healthy.with {
      $0.trial = .reported(isNamed: false)
      $0.symbolizer.onPath = nil
    }.diagnosis("symbols")?.cure
    let path = "/opt/swift/usr/bin/llvm-symbolizer"
    #expect(cure == ["export TSAN_OPTIONS=external_symbolizer_path=\(path)"])
  }

  @Test(
    arguments: [
      (.ok, .ok, .init(hasGate: true, hasSymbols: true, hasLines: true)),
      (.ok, .ok, .init(hasGate: true, hasThreadSanitizer: true, hasSymbols: true, hasLines: true)),
      (.ok, .warning, .init(hasGate: true, hasSymbols: true)),
      (.ok, .warning, .init(hasGate: true)),
      (.warning, .ok, .init(hasSymbols: true, hasLines: true)),
      (.wrong, .ok, .init(hasThreadSanitizer: true, hasSymbols: true, hasLines: true)),
      (.wrong, .ok, .init(isStatic: true, hasGate: true, hasSymbols: true, hasLines: true)),
    ] as [(Diagnosis.Verdict, Diagnosis.Verdict, Executable.Parts)])
  func programs(_ watched: Diagnosis.Verdict, _ symbols: Diagnosis.Verdict, _ it: Executable.Parts)
    throws
  {
    try expect("executable", watched, MachineFacts.healthy.with(program: it))
    try expect("executable symbols", symbols, MachineFacts.healthy.with(program: it))
  }

  @Test(arguments: [(nil, nil), (true, .ok), (false, .warning)] as [(Bool?, Diagnosis.Verdict?)])
  func accesses(_ wraps: Bool?, _ verdict: Diagnosis.Verdict?) {
    let program = Executable.Parts(
      hasGate: true, hasThreadSanitizer: true, wrapsAccesses: wraps, hasSymbols: true)
    let facts = MachineFacts.healthy.with(program: program)
    #expect(facts.diagnosis("executable accesses")?.verdict == verdict)
  }

  @Test(arguments: [Executable.Content.missing, .foreign])
  func noProgram(_ content: Executable.Content) throws {
    let facts = MachineFacts.healthy.with {
      $0.executable = Executable(path: "x", content: content)
    }
    try expect("executable", .wrong, facts)
    #expect(facts.diagnosis("executable symbols") == nil)
  }

  /// The pool is as wide as the machine, whatever part of it is free to use.
  @Test func aShareOfTheMachineIsTold() {
    let sentence = { (online: Int, usable: Int, quota: Double?) in
      MachineFacts.healthy.with {
        $0.processors = .init(online: online, usable: usable, quota: quota)
      }.diagnosis("cores")?.sentence
    }
    let narrower = "; to test as on 2 cores: THREADMILL_OPTIONS=pool=2 swift test"
    #expect(sentence(2, 2, nil) == "2 cores, a pool of 2 threads")
    #expect(sentence(2, 2, 2) == "2 cores, a pool of 2 threads")
    #expect(sentence(8, 2, nil) == "2 cores, a pool of 8 threads\(narrower)")
    #expect(
      sentence(8, 8, 1.5)
        == "8 cores, limited to the time of 1.5, a pool of 8 threads\(narrower)")
  }

  @Test func everyLineIsOneLine() {
    let hostile = MachineFacts.healthy.with {
      $0.trial = .notBuilt("a\nb\u{1B}[31m")
      $0.threadmillOptions = "x\u{0}\ny"
      $0.executable = Executable(path: "a\nb", content: .missing)
    }
    let report = DoctorReport(hostile.diagnoses)
    let lines = report.text().split(separator: "\n").count
    #expect(lines == report.diagnoses.reduce(1) { $0 + 1 + $1.cure.count })
    #expect(!report.text().contains("\u{1B}"))
    #expect(report.text(isColoured: true).contains("\u{1B}[31mwrong"))
  }

  @Test func onlyWhatIsWrongChangesTheStatus() {
    #expect(DoctorReport(MachineFacts.healthy.diagnoses).status == .nothingFound)
    let warned = MachineFacts.healthy.with { $0.unwinder.isLoadable = false }
    #expect(DoctorReport(warned.diagnoses).status == .nothingFound)
    let broken = MachineFacts.healthy.with { $0.toolchain = nil }
    #expect(DoctorReport(broken.diagnoses).status == .findings)
  }
}
