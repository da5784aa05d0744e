import ThreadmillModel

/// Why a text is no report, with the place.
package enum ReportFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  case syntax(JSONSyntaxError)
  /// A member is missing or of another type; the path looks like `findings[2].kind`.
  case expected(String, at: String)
  /// A report, made by another version of Threadmill.
  case version(Int)

  package var description: String {
    switch self {
    case .syntax(let error): "not JSON: \(error)"
    case .expected(let what, let path): "no report: expected \(what) at \(path.printable)"
    case .version(let version): "a report of version \(version); known: \(Report.currentVersion)"
    }
  }
}

extension JSONReport {
  /// Reads what `bytes(of:)` wrote; members that it does not know are ignored.
  ///
  /// Addresses come back as 0. Fingerprints are made again, not read.
  package static func report(from bytes: [UInt8]) throws(ReportFormatError) -> Report {
    let root: JSON
    do { root = try JSON(parsing: bytes) } catch { throw .syntax(error) }
    return try report(from: root)
  }

  /// The same of a text that was parsed.
  static func report(from root: JSON) throws(ReportFormatError) -> Report {
    let reader = JSONReader(root)
    let findings = try reader["findings"].array()
    let version = try reader["version"].integer(Int.self)
    guard version == Report.currentVersion else { throw .version(version) }
    var report = Report(
      findings: try map(findings, finding), run: try run(reader["run"]),
      accounting: try numbers(reader["accounting"]), profile: try profile(reader["profile"]),
      lockGraph: try lockGraph(reader["lockGraph"]), trace: try trace(reader["trace"]))
    if !reader["sources"].isMissing {
      report.sources = try sources(
        reader["sources"], naming: zip(findings, report.findings).map { ($0, $1.fingerprint) })
    }
    return report
  }

  static func numbers(_ json: JSONReader) throws(ReportFormatError) -> [String: Int] {
    var numbers: [String: Int] = [:]
    for member in try json.members() {
      guard case .number(let number) = member.value, let value = Int(number.text) else {
        throw json[member.name].expected("an integer that fits")
      }
      numbers[member.name] = value
    }
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
      index: try json["index"].integer(Int.self), total: try json["total"].integer(Int.self))
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
    Finding(
      kind: try json["kind"].name(), status: try json["status"].name(),
      severity: try json["severity"].name(), title: try json["title"].string(),
      participants: try map(json["participants"].array(), participant),
      objects: try map(json["objects"].array(), object),
      facts: json["facts"].isMissing ? [] : try map(json["facts"].array(), fact),
      tests: try map(json["tests"].array()) { test throws(ReportFormatError) in try test.string() },
      count: try json["count"].integer(Int.self),
      seed: try json["seed"].optionalInteger(UInt64.self),
      schedule: try json["schedule"].optionalString(),
      reason: try json["reason"].optionalString(),
      confirmation: json["confirmation"].isMissing
        ? nil : try confirmation(json["confirmation"]),
      judgement: json["judgement"].isMissing ? nil : try judgement(json["judgement"]))
  }

  private static func confirmation(
    _ json: JSONReader
  ) throws(ReportFormatError) -> Finding.Confirmation {
    Finding.Confirmation(
      tries: try json["tries"].integer(Int.self),
      deadlock: json["deadlock"].isMissing ? [] : try map(json["deadlock"].array(), participant))
  }

  private static func participant(
    _ json: JSONReader
  ) throws(ReportFormatError) -> Finding.Participant {
    Finding.Participant(
      thread: ThreadID(try json["thread"].number(after: "T")),
      threadName: try json["name"].optionalString(), role: try json["role"].string(),
      frames: try map(json["frames"].array(), frame),
      holds: try map(json["holds"].array(), held),
      wants: json["wants"].isMissing ? nil : LockID(try json["wants"].number(after: "L")),
      submitted: json["submitted"].isMissing ? [] : try map(json["submitted"].array(), frame),
      runs: json["runs"].isMissing ? nil : try execution(json["runs"]))
  }

  private static func held(_ json: JSONReader) throws(ReportFormatError) -> Finding.HeldObject {
    Finding.HeldObject(
      object: LockID(try json["object"].number(after: "L")), mode: try json["mode"].name(),
      frames: try map(json["frames"].array(), frame))
  }

  private static func object(_ json: JSONReader) throws(ReportFormatError) -> SharedObject {
    SharedObject(
      id: LockID(try json["id"].number(after: "L")), kind: try json["kind"].name(),
      label: try json["label"].optionalString(), created: try map(json["created"].array(), frame))
  }

  private static func fact(_ json: JSONReader) throws(ReportFormatError) -> Finding.Fact {
    Finding.Fact(
      try json["text"].string(), frames: try map(json["frames"].array(), frame))
  }

  static func frame(_ json: JSONReader) throws(ReportFormatError) -> Frame {
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

  static func map<Value>(
    _ elements: [JSONReader], _ read: (JSONReader) throws(ReportFormatError) -> Value
  ) throws(ReportFormatError) -> [Value] {
    var values: [Value] = []
    for element in elements { values.append(try read(element)) }
    return values
  }
}
