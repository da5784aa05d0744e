import ThreadmillModel

extension JSONReport {
  static func json(of execution: Execution) -> JSON {
    members(
      ("queues", .array(execution.queues.map(json))), ("root", execution.root.map(json)),
      ("pooled", execution.isPooled ? .boolean(true) : nil),
      ("group", execution.group.map { .string($0.description) }),
      ("job", execution.job.map(json)),
      ("actor", execution.actor.map { .string($0.description) }))
  }

  private static func json(of queue: Execution.Queue) -> JSON {
    members(
      ("id", .string(queue.id.description)), ("kind", .string(queue.kind.rawValue)),
      ("label", queue.label.map(JSON.string)))
  }

  private static func json(of job: Execution.Job) -> JSON {
    members(("task", job.task.map { .integer($0) }), ("priority", job.priority.map(json)))
  }

  private static func json(of quality: Quality) -> JSON { .string(QualityName(quality).rawValue) }

  static func execution(_ json: JSONReader) throws(ReportFormatError) -> Execution {
    Execution(
      queues: try json["queues"].array(queue), root: try quality(json["root"]),
      isPooled: try json["pooled"].optionalBoolean() ?? false, group: try lock(json["group"]),
      job: json["job"].isMissing ? nil : try job(json["job"]), actor: try lock(json["actor"]))
  }

  private static func queue(_ json: JSONReader) throws(ReportFormatError) -> Execution.Queue {
    Execution.Queue(
      id: LockID(try json["id"].number(after: "L")), kind: try json["kind"].name(),
      label: try json["label"].optionalString())
  }

  private static func job(_ json: JSONReader) throws(ReportFormatError) -> Execution.Job {
    Execution.Job(
      task: try json["task"].optionalInteger(UInt32.self), priority: try quality(json["priority"]))
  }

  private static func lock(_ json: JSONReader) throws(ReportFormatError) -> LockID? {
    json.isMissing ? nil : LockID(try json.number(after: "L"))
  }

  private static func quality(_ json: JSONReader) throws(ReportFormatError) -> Quality? {
    guard !json.isMissing else { return nil }
    let name: QualityName = try json.name()
    return name.quality
  }
}

/// A quality of service as a report file calls it.
private enum QualityName: String, CaseIterable {
  case background, utility, `default`, userInitiated

  init(_ quality: Quality) {
    switch quality {
    case .background: self = .background
    case .utility: self = .utility
    case .standard: self = .default
    case .userInitiated: self = .userInitiated
    }
  }

  var quality: Quality {
    switch self {
    case .background: .background
    case .utility: .utility
    case .default: .standard
    case .userInitiated: .userInitiated
    }
  }
}
