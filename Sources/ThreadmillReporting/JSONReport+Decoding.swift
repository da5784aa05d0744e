import ThreadmillModel

/// Why a text is no report, with the place.
package enum ReportFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  case syntax(JSONSyntaxError)
  /// A member is missing or of another type; the path looks like `findings[2].kind`.
  /// The byte, counted from 0, is the value's; where there is none, that of what it is missing in.
  case expected(String, at: String, byte: Int)
  /// A report, made by another version of Threadmill.
  case version(Int)

  package var description: String {
    switch self {
    case .syntax(let error): "not JSON: \(error)"
    case .expected(let what, let path, let byte):
      "no report: expected \(what) at \(path.printable) (byte \(byte))"
    case .version(let version): "a report of version \(version); known: \(Report.currentVersion)"
    }
  }
}

extension JSONReport {
  /// Reads what `bytes(of:)` wrote; members that it does not know are ignored.
  ///
  /// Addresses come back as 0. Fingerprints are made again, not read.
  package static func report(from bytes: [UInt8]) throws(ReportFormatError) -> Report {
    try JSONReader.read(bytes, report)
  }

  /// The same of a text that was parsed.
  static func report(_ json: JSONReader) throws(ReportFormatError) -> Report {
    // Somebody else's file may have a version, too.
    guard json["findings"].token?.sort == .array else {
      throw json["findings"].expected("an array")
    }
    let version = try json["version"].integer(Int.self)
    guard version == Report.currentVersion else { throw .version(version) }
    var report = Report(
      findings: try json["findings"].array(finding),
      classCandidates: json["classCandidates"].isMissing
        ? [] : try json["classCandidates"].array(finding), run: try run(json["run"]),
      tests: json["tests"].isMissing ? [] : try json["tests"].array(test),
      explorations: json["explorations"].isMissing
        ? [] : try json["explorations"].array(exploration),
      accounting: try numbers(json["accounting"]), profile: try profile(json["profile"]),
      lockGraph: try lockGraph(json["lockGraph"]), trace: try trace(json["trace"]))
    if !json["sources"].isMissing {
      let written = try json["findings"].array { finding throws(ReportFormatError) in
        try finding["fingerprint"].optionalString()
      }
      report.sources = try sources(
        json["sources"], naming: zip(written, report.findings.map(\.fingerprint)))
    }
    return report
  }

  static func numbers(_ json: JSONReader) throws(ReportFormatError) -> [String: Int] {
    var numbers: [String: Int] = [:]
    for (name, value) in try json.members() { numbers[name] = try value.integer(Int.self) }
    return numbers
  }

  static func run(_ json: JSONReader) throws(ReportFormatError) -> Report.Run {
    Report.Run(
      id: try json["id"].string(), processes: try json["processes"].integer(Int.self),
      mode: try json["mode"].string(), sanitizer: try json["sanitizer"].optionalString(),
      jitter: json["jitter"].isMissing ? nil : try json["jitter"].name(),
      seed: try json["seed"].optionalInteger(UInt64.self).map(Seed.init),
      coverage: json["coverage"].isMissing ? nil : try coverage(json["coverage"]),
      shard: json["shard"].isMissing ? nil : try shard(json["shard"]))
  }

  private static func shard(_ json: JSONReader) throws(ReportFormatError) -> Report.Run.Shard {
    let shard = Report.Run.Shard(
      index: try json["index"].integer(Int.self), total: try json["total"].integer(Int.self),
      campaign: try json["campaign"].optionalString())
    guard (1...Report.mostShards).contains(shard.total), (1...shard.total).contains(shard.index)
    else { throw json.expected("an index from 1 to a total of at most \(Report.mostShards)") }
    return shard
  }

  private static func coverage(_ json: JSONReader) throws(ReportFormatError) -> JitterCoverage {
    JitterCoverage(
      lockPairs: try json["lockPairs"].integer(Int.self),
      threadPairs: try json["threadPairs"].integer(Int.self))
  }

  private static func finding(_ json: JSONReader) throws(ReportFormatError) -> Finding {
    var finding = Finding(
      kind: try json["kind"].name(), status: try json["status"].name(),
      severity: try json["severity"].name(), title: try json["title"].string(),
      participants: try json["participants"].array(participant),
      objects: try json["objects"].array(object),
      facts: json["facts"].isMissing ? [] : try json["facts"].array(fact),
      tests: try json["tests"].array { test throws(ReportFormatError) in try test.string() },
      count: try json["count"].integer(Int.self),
      seed: try json["seed"].optionalInteger(UInt64.self),
      schedule: try json["schedule"].optionalString(),
      reason: try json["reason"].optionalString(),
      confirmation: json["confirmation"].isMissing
        ? nil : try confirmation(json["confirmation"]),
      judgement: json["judgement"].isMissing ? nil : try judgement(json["judgement"]),
      story: json["story"].isMissing ? nil : try story(json["story"]))
    finding.isSingleThreaded = try json["singleThreaded"].optionalBoolean() ?? false
    return finding
  }

  private static func confirmation(
    _ json: JSONReader
  ) throws(ReportFormatError) -> Finding.Confirmation {
    Finding.Confirmation(
      tries: try json["tries"].integer(Int.self), test: try json["test"].optionalString(),
      deadlock: json["deadlock"].isMissing ? [] : try json["deadlock"].array(participant))
  }

  private static func participant(
    _ json: JSONReader
  ) throws(ReportFormatError) -> Finding.Participant {
    Finding.Participant(
      thread: ThreadID(try json["thread"].number(after: "T")),
      threadName: try json["name"].optionalString(), role: try json["role"].string(),
      frames: try frames(json["frames"]),
      holds: try json["holds"].array(held),
      wants: json["wants"].isMissing ? nil : LockID(try json["wants"].number(after: "L")),
      submitted: json["submitted"].isMissing ? [] : try frames(json["submitted"]),
      runs: json["runs"].isMissing ? nil : try execution(json["runs"]))
  }

  private static func held(_ json: JSONReader) throws(ReportFormatError) -> Finding.HeldObject {
    Finding.HeldObject(
      object: LockID(try json["object"].number(after: "L")), mode: try json["mode"].name(),
      frames: try frames(json["frames"]))
  }

  private static func object(_ json: JSONReader) throws(ReportFormatError) -> SharedObject {
    SharedObject(
      id: LockID(try json["id"].number(after: "L")), kind: try json["kind"].name(),
      label: try json["label"].optionalString(), created: try frames(json["created"]),
      variable: json["variable"].isMissing ? nil : try frame(json["variable"]))
  }

  private static func fact(_ json: JSONReader) throws(ReportFormatError) -> Finding.Fact {
    Finding.Fact(
      try json["text"].string(), frames: try frames(json["frames"]))
  }

  /// A stack, which may be known from another place or report.
  static func frames(_ json: JSONReader) throws(ReportFormatError) -> Backtrace {
    let stacks = json.stacks.takeUnretainedValue()
    if let token = json.token, token.sort == .knownStack {
      stacks.use(Int(token.stack))
      return stacks.frames(Int(token.stack))
    }
    let frames = try json.array(frame)
    if let token = json.token, !frames.isEmpty {
      stacks.learn(json.text.bytes(token.range), frames, digest: ContentDigest.value(of: json))
    }
    return frames
  }

  private static func frame(_ json: JSONReader) throws(ReportFormatError) -> Frame {
    var frame = Frame(
      address: 0, file: try json["file"].optionalString(),
      line: try json["line"].optionalInteger(Int.self),
      column: try json["column"].optionalInteger(Int.self),
      image: try json["image"].optionalString(),
      offset: try json["offset"].optionalInteger(UInt64.self),
      isSystem: try json["system"].optionalBoolean() ?? false)
    let name = try json["function"].string()
    // A frame without a function was written by its name.
    if name != frame.name { frame.function = name }
    return frame
  }
}
