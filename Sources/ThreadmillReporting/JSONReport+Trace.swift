import ThreadmillModel

/// `trace`: an object with `recordings`, one for each process. Times are nanoseconds; `lock` and
/// `place` of an event are places in its recording's `locks` and `places`, counted from 0.
extension JSONReport {
  static func json(of trace: Trace) -> JSON {
    members(("recordings", .array(trace.recordings.map(json))))
  }

  private static func json(of recording: Trace.Recording) -> JSON {
    let threads = recording.threads.map { thread in
      members(
        ("thread", .string(thread.thread.description)), ("name", .string(thread.name)))
    }
    return members(
      ("process", .integer(recording.process)), ("threads", .array(threads)),
      ("locks", .array(recording.locks.map(json))),
      ("places", .array(recording.places.map { .array($0.map(json)) })),
      ("events", .array(recording.events.map(json))))
  }

  private static func json(of event: Trace.Event) -> JSON {
    members(
      ("what", .string(event.what.rawValue)), ("thread", .string(event.thread.description)),
      ("at", .integer(event.at)), ("lasted", event.lasted == 0 ? nil : .integer(event.lasted)),
      ("open", event.isOpen ? .boolean(true) : nil), ("lock", event.lock.map { .integer($0) }),
      ("label", event.label.map(JSON.string)), ("flow", event.flow.map { .integer($0) }),
      ("place", event.place.map { .integer($0) }))
  }

  static func trace(_ json: JSONReader) throws(ReportFormatError) -> Trace? {
    guard !json.isMissing else { return nil }
    return Trace(try json["recordings"].array(recording))
  }

  private static func recording(_ json: JSONReader) throws(ReportFormatError) -> Trace.Recording {
    let locks = try json["locks"].array(graphClass)
    let places = try json["places"].array { place throws(ReportFormatError) in
      try frames(place)
    }
    let threads = try json["threads"].array { thread throws(ReportFormatError) in
      Trace.Thread(
        ThreadID(try thread["thread"].number(after: "T")), name: try thread["name"].string())
    }
    return Trace.Recording(
      process: try json["process"].integer(Int.self), threads: threads, locks: locks,
      places: places,
      events: try json["events"].array { event throws(ReportFormatError) in
        try self.event(event, locks: locks.count, places: places.count)
      })
  }

  /// Reads a time that is small enough for a sum of two to fit into an integer.
  private static func nanoseconds(_ json: JSONReader) throws(ReportFormatError) -> UInt64 {
    let time = try json.integer(UInt64.self)
    guard time < 1 << 62 else { throw json.expected("nanoseconds of less than a century") }
    return time
  }

  private static func event(
    _ json: JSONReader, locks: Int, places: Int
  ) throws(ReportFormatError) -> Trace.Event {
    Trace.Event(
      try json["what"].name(), ThreadID(try json["thread"].number(after: "T")),
      at: try nanoseconds(json["at"]),
      lasted: json["lasted"].isMissing ? 0 : try nanoseconds(json["lasted"]),
      isOpen: try json["open"].optionalBoolean() ?? false,
      lock: json["lock"].isMissing ? nil : try place(json["lock"], below: locks),
      label: try json["label"].optionalString(),
      flow: try json["flow"].optionalInteger(UInt64.self),
      place: json["place"].isMissing ? nil : try place(json["place"], below: places))
  }
}
