extension MachineFacts {
  var platformCheck: Diagnosis {
    let check = "platform"
    guard system.name == "Linux" else {
      return Diagnosis(
        check, .wrong, "\(system.name): Threadmill builds here and watches nothing",
        cure: ["Run your tests on Linux with glibc, x86_64"])
    }
    guard case .glibc(let version) = system.library else {
      return Diagnosis(
        check, .wrong, "Linux without glibc: Threadmill builds here and watches nothing",
        cure: ["Use a toolchain and a system with glibc, such as Debian or Ubuntu"])
    }
    let place = "Linux, glibc \(version), \(system.architecture)"
    return switch system.architecture {
    case "x86_64": Diagnosis(check, .ok, place)
    case "aarch64":
      Diagnosis(
        check, .warning, "\(place): tested under QEMU, and without Swift",
        cure: ["scripts/test  # in a checkout of Threadmill: says what works"])
    default:
      Diagnosis(
        check, .wrong, "\(place): not supported", cure: ["Run your tests on x86_64"])
    }
  }

  var toolchainCheck: Diagnosis {
    let check = "toolchain"
    let measured = MeasuredFact.toolchain
    guard let toolchain else {
      return Diagnosis(
        check, .wrong, "no swift on the path answers",
        cure: ["Install Swift \(MeasuredFact.family): https://www.swift.org/install/linux/"])
    }
    let version = Version(toolchain.version)
    let family = Version(MeasuredFact.family)
    if version.parts.starts(with: family.parts) {
      let others = toolchain.version == measured ? "" : ", measured with \(measured)"
      return Diagnosis(check, .ok, "Swift \(toolchain.version)\(others)")
    }
    if version < family {
      return Diagnosis(
        check, .wrong, "Swift \(toolchain.version) is too old; \(MeasuredFact.family) is needed",
        cure: ["swiftly install \(measured)"])
    }
    let count = MeasuredFact.table.count
    return Diagnosis(
      check, .warning,
      "Swift \(toolchain.version): Threadmill was tested with \(measured), and relies on \(count) facts",
      cure: ["scripts/test  # in a checkout of Threadmill: tests the facts, see CONTRIBUTING.md"]
    )
  }

  /// The libraries that the tool puts into programs and tests. If one is missing but can be built,
  /// all is well: the first command that needs it builds it.
  var librariesCheck: Diagnosis {
    let check = "libraries"
    let missing = libraries.filter { $0.place == .missing }.map(\.product)
    if !missing.isEmpty {
      let names = missing.map { "\($0.rawValue) for '\($0.purpose)'" }.joined(separator: ", ")
      return Diagnosis(
        check, .wrong, "not beside the tool: \(names)",
        cure: ["scripts/install  # in a checkout of Threadmill"])
    }
    let buildable = libraries.filter { $0.place != .there }.map(\.product)
    if buildable.isEmpty {
      return Diagnosis(check, .ok, "all are there, for run, test, test --sanitize thread and link")
    }
    let purposes = buildable.map { "'\($0.purpose)'" }.joined(separator: ", ")
    return Diagnosis(
      check, .ok, "not built yet; the first \(purposes) does it, in a minute or two")
  }

  /// The gate reads objects of the Swift runtime and of Foundation, and leaves out those that are
  /// laid out in another way.
  var layoutsCheck: Diagnosis {
    let check = "layouts"
    let cure = [
      "scripts/test  # in a checkout of Threadmill: says what is not found with this toolchain"
    ]
    return switch layouts {
    case .skipped: Diagnosis(check, .ok, "not compared (--quick)")
    case .noLibrary:
      Diagnosis(check, .ok, "not compared: libThreadmillPreload.so is not beside the tool")
    case .failed(let reason):
      Diagnosis(check, .warning, "could not be compared: \(reason)", cure: cure)
    case .compared([], []):
      Diagnosis(check, .ok, "the Swift runtime and Foundation fit \(MeasuredFact.toolchain)")
    case .compared([], let unknown):
      Diagnosis(
        check, .warning, "not compared: \(unknown.joined(separator: ", "))", cure: cure)
    case .compared(let differing, _):
      Diagnosis(
        check, .warning,
        "not as in Swift \(MeasuredFact.toolchain), so not read: "
          + differing.joined(separator: ", "),
        cure: cure)
    }
  }

  /// `nil` where there is no toolchain to ask.
  var buildSystemCheck: Diagnosis? {
    let check = "build system"
    guard let toolchain else { return nil }
    let limit = "no race is tied to a test under --build-system swiftbuild"
    return switch toolchain.buildSystem {
    case "native": Diagnosis(check, .ok, "native by default; \(limit)")
    case let other:
      Diagnosis(
        check, .warning, "\(other ?? "unknown") by default; \(limit)",
        cure: ["swift test --build-system native --sanitize=thread"])
    }
  }

  var unwinderCheck: Diagnosis {
    let check = "libunwind"
    let install = "sudo apt-get install libunwind-dev  # and build again"
    return switch (unwinder.isLoadable, unwinder.hasHeader) {
    case (true, true): Diagnosis(check, .ok, "there: reports show where blocked threads stand")
    case (true, false):
      Diagnosis(
        check, .warning,
        "libunwind.h is missing: what is built here shows no stacks of blocked threads",
        cure: [install])
    case (false, true):
      Diagnosis(
        check, .warning, "libunwind.so.8 is missing: reports lack the stacks of blocked threads",
        cure: ["sudo apt-get install libunwind8"])
    case (false, false):
      Diagnosis(
        check, .warning, "not there: reports lack the stacks of blocked threads", cure: [install])
    }
  }

  var processorsCheck: Diagnosis {
    let check = "cores"
    let (pool, count) = (processors.online, processors.usable)
    guard count > 1 else {
      return Diagnosis(
        check, .warning, "1 core: threads take turns, so that many races do not show",
        cure: ["Run on two cores or more; a container may be given more with --cpus"])
    }
    let quota = processors.quota.flatMap { $0 < Double(count) ? Self.shown($0) : nil }
    let parts = [
      "\(count) cores", quota.map { "limited to the time of \($0)" },
      "a pool of \(pool) thread\(pool == 1 ? "" : "s")",
    ].compactMap(\.self)
    let narrower = pool > 2 ? "; to test as on 2 cores: THREADMILL_OPTIONS=pool=2 swift test" : ""
    return Diagnosis(check, .ok, parts.joined(separator: ", ") + narrower)
  }

  /// With one digit behind the point at most.
  private static func shown(_ quota: Double) -> String {
    let tenths = Int((quota * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}

/// `6.3.1` by its numbers.
private struct Version: Comparable {
  let parts: [Int]

  init(_ text: String) { parts = text.split(separator: ".").compactMap { Int($0) } }

  static func < (a: Version, b: Version) -> Bool { a.parts.lexicographicallyPrecedes(b.parts) }
}
