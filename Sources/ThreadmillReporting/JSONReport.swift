import ThreadmillModel

/// The report as JSON, for machines and for merging: `version`, `findings`, `run`, `accounting`,
/// where there are any, `classCandidates`, where they were followed, `tests` and `explorations`,
/// where they were asked for, `profile`,
/// `lockGraph` and `trace`, and where it was merged, `sources`.
///
/// Equal reports give equal bytes. Addresses are left out, since they mean nothing in another
/// process, and accounts of zero. Everything else survives a round trip.
package enum JSONReport {
  package static func bytes(of report: Report) -> [UInt8] { json(of: report).bytes }

  package static func text(of report: Report) -> String { json(of: report).text }

  static func json(of report: Report) -> JSON {
    members(
      ("version", .integer(report.version)),
      ("findings", .array(report.findings.map(json))),
      (
        "classCandidates",
        report.classCandidates.isEmpty ? nil : .array(report.classCandidates.map(json))
      ),
      ("run", json(of: report.run)),
      ("tests", report.tests.isEmpty ? nil : .array(report.tests.map(json))),
      (
        "explorations",
        report.explorations.isEmpty ? nil : .array(report.explorations.map(json))
      ), ("accounting", json(of: report.accounting)), ("profile", report.profile.map(json)),
      ("lockGraph", report.lockGraph.map(json)), ("trace", report.trace.map(json)),
      ("sources", report.sources.isEmpty ? nil : .array(report.sources.map(json))))
  }

  static func json(of numbers: [String: Int]) -> JSON {
    let shown = numbers.filter { $0.value != 0 }.sorted { $0.key < $1.key }
    return .object(shown.map { JSON.Member($0.key, .integer($0.value)) })
  }

  static func json(of run: Report.Run) -> JSON {
    members(
      ("id", .string(run.id)), ("processes", .integer(run.processes)),
      ("mode", .string(run.mode)), ("sanitizer", run.sanitizer.map(JSON.string)),
      ("jitter", run.jitter.map { .string($0.rawValue) }),
      ("seed", run.seed.map { .integer($0.rawValue) }), ("coverage", run.coverage.map(json)),
      ("shard", run.shard.map(json)))
  }

  private static func json(of shard: Report.Run.Shard) -> JSON {
    members(
      ("index", .integer(shard.index)), ("total", .integer(shard.total)),
      ("campaign", shard.campaign.map(JSON.string)))
  }

  private static func json(of coverage: JitterCoverage) -> JSON {
    members(
      ("lockPairs", .integer(coverage.lockPairs)), ("threadPairs", .integer(coverage.threadPairs)))
  }

  static func json(of finding: Finding) -> JSON {
    members(
      ("kind", .string(finding.kind.rawValue)), ("status", .string(finding.status.rawValue)),
      ("severity", .string(finding.severity.rawValue)), ("title", .string(finding.title)),
      ("fingerprint", .string(finding.fingerprint)),
      ("tests", .array(finding.tests.map(JSON.string))), ("count", .integer(finding.count)),
      ("seed", finding.seed.map { .integer($0) }), ("schedule", finding.schedule.map(JSON.string)),
      ("reason", finding.reason.map(JSON.string)),
      ("singleThreaded", finding.isSingleThreaded ? .boolean(true) : nil),
      ("participants", .array(finding.participants.map(json))),
      ("objects", .array(finding.objects.map(json))),
      ("facts", finding.facts.isEmpty ? nil : .array(finding.facts.map(json))),
      ("confirmation", finding.confirmation.map(json)), ("story", finding.story.map(json)),
      ("judgement", finding.judgement.map(json)))
  }

  static func json(of confirmation: Finding.Confirmation) -> JSON {
    let deadlock = confirmation.deadlock.map(json)
    return members(
      ("tries", .integer(confirmation.tries)),
      ("test", confirmation.test.map(JSON.string)),
      ("deadlock", deadlock.isEmpty ? nil : .array(deadlock)))
  }

  private static func json(of fact: Finding.Fact) -> JSON {
    members(("text", .string(fact.text)), ("frames", .array(fact.frames.map(json))))
  }

  private static func json(of participant: Finding.Participant) -> JSON {
    members(
      ("thread", .string(participant.thread.description)),
      ("name", participant.threadName.map(JSON.string)), ("role", .string(participant.role)),
      ("frames", .array(participant.frames.map(json))),
      ("holds", .array(participant.holds.map(json))),
      ("wants", participant.wants.map { .string($0.description) }),
      (
        "submitted",
        participant.submitted.isEmpty ? nil : .array(participant.submitted.map(json))
      ), ("runs", participant.runs.map(json)))
  }

  private static func json(of held: Finding.HeldObject) -> JSON {
    members(
      ("object", .string(held.object.description)), ("mode", .string(held.mode.rawValue)),
      ("frames", .array(held.frames.map(json))))
  }

  private static func json(of object: SharedObject) -> JSON {
    members(
      ("id", .string(object.id.description)), ("kind", .string(object.kind.rawValue)),
      ("label", object.label.map(JSON.string)), ("created", .array(object.created.map(json))),
      ("variable", object.variable.map(json)))
  }

  static func json(of frame: Frame) -> JSON {
    members(
      ("function", .string(frame.name)), ("file", frame.file.map(JSON.string)),
      ("line", frame.line.map { .integer($0) }), ("column", frame.column.map { .integer($0) }),
      ("image", frame.image.map(JSON.string)), ("offset", frame.offset.map { .integer($0) }),
      ("system", frame.isSystem ? .boolean(true) : nil))
  }

  /// An object of the members that are there.
  package static func members(_ members: (name: String, value: JSON?)...) -> JSON {
    .object(members.compactMap { member in member.value.map { JSON.Member(member.name, $0) } })
  }
}
