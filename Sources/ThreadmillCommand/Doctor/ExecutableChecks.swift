import ThreadmillModel

extension MachineFacts {
  /// Whether a program can be watched; `nil` if none was asked about.
  var executableCheck: Diagnosis? {
    guard let executable else { return nil }
    let check = "executable"
    let name = executable.path.printable
    switch executable.content {
    case .missing:
      return Diagnosis(
        check, .wrong, "\(name) is not there",
        cure: ["swift build --show-bin-path  # says where programs are"])
    case .foreign:
      return Diagnosis(
        check, .wrong, "\(name) is no program for Linux with 64 bits",
        cure: ["swift build --show-bin-path  # says where programs are"])
    case .program(let parts):
      let (verdict, sentence, cure) = Self.judge(parts, name: name)
      return Diagnosis(check, verdict, "\(name) \(sentence)", cure: cure)
    }
  }

  private static func judge(
    _ parts: Executable.Parts, name: String
  ) -> (Diagnosis.Verdict, sentence: String, cure: [String]) {
    let link = "Add a product of Threadmill to the target's dependencies"
    if parts.isStatic {
      return (
        .wrong, "is fully static: it cannot be watched", ["Build it without -static-executable"]
      )
    }
    return switch (parts.hasGate, parts.hasThreadSanitizer) {
    case (true, true): (.ok, "is watched, with Thread Sanitizer", [])
    case (true, false): (.ok, "is watched, without Thread Sanitizer", [])
    case (false, true):
      (
        .wrong,
        "has Thread Sanitizer and no Threadmill: it is not watched, and cannot be by preload",
        [link, "swiftc -sanitize=thread … $(threadmill link)  # or this"]
      )
    case (false, false):
      (
        .warning, "has no Threadmill: it is not watched",
        [link, "LD_PRELOAD=…/libThreadmillPreload.so \(name)  # or this"]
      )
    }
  }

  /// Whether an exploration stops at its memory accesses; `nil` if there is no such program, or if
  /// that cannot be told.
  var executableAccessesCheck: Diagnosis? {
    guard case .program(let parts) = executable?.content, let wraps = parts.wrapsAccesses else {
      return nil
    }
    let check = "executable accesses"
    if wraps { return Diagnosis(check, .ok, "are steps of an exploration") }
    return Diagnosis(
      check, .warning, "are no steps of an exploration, which stops at calls only",
      cure: ["swiftc -sanitize=thread … $(threadmill link --accesses)"])
  }

  /// Whether findings in it can be named; `nil` if there is no such program.
  var executableSymbolsCheck: Diagnosis? {
    guard case .program(let parts) = executable?.content else { return nil }
    let check = "executable symbols"
    if parts.hasSymbols, parts.hasLines {
      return Diagnosis(check, .ok, "there: findings get function, file and line")
    }
    let apart = parts.debugFile.map { "; debug information lies in \($0.printable)" } ?? ""
    if parts.hasSymbols {
      return Diagnosis(
        check, .warning, "there, without debug lines: findings get functions only\(apart)",
        cure: ["swift build -c release -Xswiftc -g"])
    }
    return Diagnosis(
      check, .warning, "stripped: findings get addresses, and names of what is exported\(apart)",
      cure: ["Build it without strip and -Xlinker -s"])
  }
}
