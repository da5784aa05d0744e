import ThreadmillModel

extension MachineFacts {
  var sanitizerCheck: Diagnosis {
    guard let toolchain else {
      return Self.sanitizer(.wrong, "there is no Swift toolchain")
    }
    guard toolchain.sanitizerRuntime != nil else {
      return Self.sanitizer(
        .wrong, "the toolchain has no runtime of it for \(system.architecture)",
        ["Install a toolchain from https://www.swift.org/install/linux/"])
    }
    return switch trial {
    case .reported: sanitizerThatWorks
    case .skipped, .noCompiler: sanitizerUntried
    case .notBuilt(let reason):
      Self.sanitizer(
        .wrong, "a small program cannot be built with it: \(reason)",
        ["Install what the toolchain needs: https://www.swift.org/install/linux/"])
    case .silent:
      Self.sanitizer(
        .wrong, "a small race went unreported", ["unset TSAN_OPTIONS  # and ask again"])
    case .timedOut:
      Self.sanitizer(
        .wrong, "a small race was not built and run in 30 seconds",
        ["threadmill doctor  # again, when the machine is less busy"])
    case .refused(let reason, let withoutRandomization):
      refusal(reason, withoutRandomization)
    }
  }

  private static func sanitizer(
    _ verdict: Diagnosis.Verdict, _ sentence: String, _ cure: [String] = []
  ) -> Diagnosis {
    Diagnosis("thread sanitizer", verdict, sentence, cure: cure)
  }

  /// With more bits on x86-64 memory may lie where the sanitizer wants to have its own.
  private static let mostRandomBits = 28

  private static let fewerBits = "sudo sysctl vm.mmap_rnd_bits=\(mostRandomBits)"
  private static let withoutRandomization = "setarch -R swift test --sanitize=thread"

  /// How many bits are scattered if those are too many.
  private var excessiveBits: Int? {
    system.architecture == "x86_64"
      ? randomization.bits.flatMap { $0 > Self.mostRandomBits ? $0 : nil } : nil
  }

  /// With too many bits it starts again without any, where the system lets it.
  private var sanitizerThatWorks: Diagnosis {
    guard let bits = excessiveBits, randomization.canBeSwitchedOff == false else {
      return Self.sanitizer(.ok, "works: a small race was built, run and reported")
    }
    return Self.sanitizer(
      .warning,
      "works by luck: with \(bits) bits of address randomisation it does not start each time",
      [Self.fewerBits + "  # on the machine around this container"])
  }

  private var sanitizerUntried: Diagnosis {
    let why = trial == .skipped ? "--quick" : "the toolchain has no clang"
    guard let bits = excessiveBits else {
      return Self.sanitizer(.ok, "the runtime is there; not tried (\(why))")
    }
    return Self.sanitizer(
      .warning, "not tried (\(why)); \(bits) bits of address randomisation may be too many",
      [Self.withoutRandomization, "\(Self.fewerBits)  # or this, for good"])
  }

  /// It said why it does not start.
  private func refusal(_ reason: String, _ withoutRandomization: Bool) -> Diagnosis {
    let reason = "does not start: \(reason)"
    if withoutRandomization {
      return Self.sanitizer(
        .wrong, reason, [Self.withoutRandomization, "\(Self.fewerBits)  # or this, for good"])
    }
    if randomization.canBeSwitchedOff == false {
      return Self.sanitizer(
        .wrong, reason,
        [
          "docker run --security-opt seccomp=unconfined …  # this container forbids setarch -R",
          "\(Self.fewerBits)  # or this, on the machine around it",
        ])
    }
    return Self.sanitizer(
      .wrong, reason,
      [
        excessiveBits == nil
          ? "unset TSAN_OPTIONS; ulimit -s 8192  # and ask again" : Self.fewerBits
      ])
  }

  var symbolsCheck: Diagnosis {
    let check = "symbols"
    if trial == .reported(isNamed: true) {
      let path = symbolizer.onPath.map { " by \($0)" } ?? ""
      return Diagnosis(check, .ok, "Thread Sanitizer's frames get file and line\(path)")
    }
    if trial != .reported(isNamed: false), let path = symbolizer.onPath {
      return Diagnosis(check, .ok, "\(path) is there to name Thread Sanitizer's frames")
    }
    let missing = "Thread Sanitizer's frames get no names"
    if symbolizer.onPath != nil {
      return Diagnosis(
        check, .warning, missing, cure: ["unset TSAN_OPTIONS  # and ask again"])
    }
    if let path = symbolizer.inToolchain {
      return Diagnosis(
        check, .warning, "\(missing): llvm-symbolizer is not on the path",
        cure: ["export TSAN_OPTIONS=external_symbolizer_path=\(path)"])
    }
    return Diagnosis(
      check, .warning, "\(missing): there is no llvm-symbolizer",
      cure: ["sudo apt-get install llvm"])
  }
}
