import ThreadmillModel

extension JSONReport {
  static func json(of story: ScheduleStory) -> JSON {
    members(
      ("schedule", .string(story.schedule)), ("total", .integer(story.total)),
      ("endless", story.isEndless ? .boolean(true) : nil),
      ("columns", .array(story.columns.map(JSON.string))),
      ("steps", .array(story.steps.map { json(of: $0) })),
      (
        "waits",
        story.waits.isEmpty ? nil : .array(story.waits.map { json(of: $0.step, in: $0) })
      ), ("awaits", story.awaits.isEmpty ? nil : .array(story.awaits.map(json))))
  }

  private static func json(of suspended: ScheduleStory.Await) -> JSON {
    members(
      ("text", .string(suspended.text)), ("keepsBody", suspended.keepsBody ? .boolean(true) : nil),
      ("places", .array(suspended.places.map(json))))
  }

  private static func json(
    of step: ScheduleStory.Step, in wait: ScheduleStory.Wait? = nil
  ) -> JSON {
    members(
      ("number", .integer(step.number)), ("column", .integer(step.column)),
      ("operation", .string(step.operation.name)), ("object", step.object.map(JSON.string)),
      ("note", step.note.map(JSON.string)),
      ("forced", step.isForced ? .boolean(true) : nil),
      ("holder", wait?.holder.map { .integer($0) }),
      ("holderOver", wait?.isHolderOver == true ? .boolean(true) : nil),
      ("places", .array(step.places.map(json))))
  }

  static func story(_ json: JSONReader) throws(ReportFormatError) -> ScheduleStory {
    let columns = try json["columns"].array { name throws(ReportFormatError) in try name.string() }
    return ScheduleStory(
      columns: columns,
      steps: try json["steps"].array { one throws(ReportFormatError) in
        try step(one, of: columns.count)
      },
      total: try json["total"].count(),
      waits: json["waits"].isMissing
        ? []
        : try json["waits"].array { one throws(ReportFormatError) in
          ScheduleStory.Wait(
            try step(one, of: columns.count), holder: try column(one["holder"], of: columns.count),
            isHolderOver: try one["holderOver"].optionalBoolean() ?? false)
        },
      awaits: json["awaits"].isMissing
        ? []
        : try json["awaits"].array { one throws(ReportFormatError) in
          ScheduleStory.Await(
            try one["text"].string(), places: try frames(one["places"]),
            keepsBody: try one["keepsBody"].optionalBoolean() ?? false)
        },
      isEndless: try json["endless"].optionalBoolean() ?? false,
      schedule: try json["schedule"].string())
  }

  private static func step(
    _ json: JSONReader, of columns: Int
  ) throws(ReportFormatError) -> ScheduleStory.Step {
    guard let column = try column(json["column"], of: columns) else {
      throw json.expected("a column")
    }
    let name = try json["operation"].string()
    guard let operation = OperationKind(name: name) else {
      throw json["operation"].expected("an operation")
    }
    var step = ScheduleStory.Step(
      number: try json["number"].count(), column: column, operation,
      object: try json["object"].optionalString(),
      isForced: try json["forced"].optionalBoolean() ?? false, places: try frames(json["places"]))
    step.note = try json["note"].optionalString()
    return step
  }

  private static func column(
    _ json: JSONReader, of columns: Int
  ) throws(ReportFormatError) -> Int? {
    guard let column = try json.optionalInteger(Int.self) else { return nil }
    guard (0..<columns).contains(column) else { throw json.expected("the place of a column") }
    return column
  }
}
