import ThreadmillModel
import ThreadmillReporting

/// One finding as a result.
struct SARIFResult: Sendable {
  private let finding: Finding
  private let places: SARIFPlaces

  init(_ finding: Finding, _ places: SARIFPlaces) {
    self.finding = finding
    self.places = places
  }

  func json(_ cuts: inout SARIFCuts) -> JSON {
    let related = cuts.related(related)
    let links = related.enumerated().filter(\.element.isThread).map { index, other in
      SARIFText.Clause(title: other.title, location: index + 1, text: other.text)
    }
    let fingerprint = finding.fingerprint
    return JSONReport.members(
      ("ruleId", .string(SARIFRule.identifier(of: finding.kind))),
      ("ruleIndex", Finding.Kind.allCases.firstIndex(of: finding.kind).map { .integer($0) }),
      ("level", .string(finding.severity.rawValue)),
      ("message", SARIFText.linked(finding.title, links)),
      ("locations", .array([places.location(of: finding.place, quotes: true)])),
      ("relatedLocations", related.isEmpty ? nil : .array(locations(of: related))),
      ("codeFlows", codeFlows(&cuts)), ("stacks", stacks),
      (
        "partialFingerprints",
        .object([
          .init("primaryLocationLineHash", .string("\(fingerprint):1")),
          .init("threadmill/v1", .string(fingerprint)),
        ])
      ), ("occurrenceCount", .integer(max(1, finding.count))),
      ("baselineState", finding.judgement.map { .string(Self.baselineState($0)) }),
      ("suppressions", suppressions), ("properties", properties))
  }

  private static func baselineState(_ judgement: Finding.Judgement) -> String {
    switch judgement {
    case .new, .suppressed: "new"
    case .known: "unchanged"
    }
  }

  private var suppressions: JSON? {
    guard case .suppressed(let reason, let by) = finding.judgement else { return nil }
    return .array([
      JSONReport.members(
        ("kind", .string("external")), ("justification", .string("\(reason) (\(by))")))
    ])
  }

  // MARK: Related locations

  private struct Related {
    var title: String
    var text: String
    var frame: Frame?
    /// Whether the message names it.
    var isThread = false
  }

  /// The threads, where the objects were made, what is known besides.
  private var related: [Related] {
    let threads = finding.participants.map { thread in
      Related(title: thread.title, text: thread.role, frame: thread.place, isThread: true)
    }
    let objects = finding.objects.compactMap { object in
      object.place.map { place in
        Related(
          title: "\(object.id)",
          text: object.variable.map { "is the \(object.kind.noun) \($0.name), declared here" }
            ?? "is a \(object.kind.noun), created here", frame: place)
      }
    }
    let facts = finding.facts.compactMap { fact in
      fact.frames.place.map { Related(title: fact.text, text: "", frame: $0) }
    }
    return threads + objects + facts
  }

  private func locations(of related: [Related]) -> [JSON] {
    related.enumerated().map { index, other in
      let words = other.text.isEmpty ? other.title : "\(other.title) \(other.text)"
      return places.location(of: other.frame, id: index + 1, SARIFText.plain(words))
    }
  }

  // MARK: Stacks

  /// For each thread where it is, where it took what it holds, where its work came from.
  private var stacks: JSON? {
    let stacks = finding.participants.flatMap { thread in
      thread.holds.map { held in
        stack(held.frames, of: thread, "\(thread.title) took \(held.object)")
      } + [
        stack(thread.frames, of: thread, thread.sentence),
        stack(thread.submitted, of: thread, "the work of \(thread.title) was submitted"),
      ]
    }.compactMap(\.self)
    return stacks.isEmpty ? nil : .array(stacks)
  }

  private func stack(
    _ frames: Backtrace, of thread: Finding.Participant, _ words: String
  ) -> JSON? {
    places.stack(frames, thread: thread.thread, SARIFText.plain(words))
  }

  // MARK: Properties

  private var properties: JSON {
    JSONReport.members(
      ("status", .string(finding.status.rawValue)),
      ("tests", finding.tests.isEmpty ? nil : .array(finding.tests.map(JSON.string))),
      ("seed", finding.seed.map { .string(String($0)) }),
      ("schedule", finding.schedule.map(JSON.string)),
      ("facts", finding.facts.isEmpty ? nil : .array(finding.facts.map { .string($0.text) })),
      ("repair", .string(finding.repair)))
  }
}

extension SARIFResult {
  /// What the threads did, one thread flow each; and, where a steered run came to the deadlock, the
  /// same of that run.
  private func codeFlows(_ cuts: inout SARIFCuts) -> JSON? {
    let flows = [
      (finding.participants, "What each thread did"),
      (finding.confirmation?.deadlock ?? [], "The deadlock that another run came to"),
    ].filter { !$0.0.isEmpty }
    guard !flows.isEmpty else { return nil }
    var kept = cuts.steps(flows.flatMap(\.0).map(steps))[...]
    let json = flows.map { threads, words in
      let steps = kept.prefix(threads.count)
      kept = kept.dropFirst(threads.count)
      let told = zip(threads, steps).filter { !$1.isEmpty }
      return (told.map(threadFlow), words)
    }
    return .array(
      json.filter { !$0.0.isEmpty }.map { threadFlows, words in
        .object([
          .init("message", SARIFText.plain(words)), .init("threadFlows", .array(threadFlows)),
        ])
      })
  }

  private func threadFlow(_ thread: Finding.Participant, _ steps: [JSON]) -> JSON {
    .object([
      .init("id", .string(thread.thread.description)),
      .init("message", SARIFText.plain(thread.sentence)), .init("locations", .array(steps)),
    ])
  }

  /// The steps of a thread: the submission of its work, each lock that it took, and its last step.
  private func steps(of thread: Finding.Participant) -> [JSON] {
    var steps: [JSON] = []
    if let place = thread.submitted.place {
      steps.append(
        step(place, "the work of \(thread.title) is submitted", "unimportant", ["call"]))
    }
    for held in thread.holds {
      let mode = held.mode == .shared ? " (shared)" : ""
      steps.append(
        step(
          held.frames.place, "\(thread.title) takes \(held.object)\(mode)", "important",
          ["acquire", "lock"]))
    }
    var kinds: [String] = []
    if thread.wants != nil { kinds = ["acquire", "lock"] }
    if finding.kind == .dataRace { kinds = ["memory"] }
    steps.append(step(thread.frames.place, thread.sentence, "essential", kinds))
    return steps
  }

  private func step(
    _ frame: Frame?, _ words: String, _ importance: String, _ kinds: [String]
  ) -> JSON {
    JSONReport.members(
      ("location", places.location(of: frame, SARIFText.plain(words))),
      ("kinds", kinds.isEmpty ? nil : .array(kinds.map(JSON.string))),
      ("importance", .string(importance)))
  }
}
