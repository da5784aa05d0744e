import ThreadmillModel

/// `profile`: an object whose `classes` are in the order of the table. Durations are nanoseconds;
/// `buckets` has for each bucket that is not empty its greatest number and how many there are.
extension JSONReport {
  static func json(of profile: ContentionProfile) -> JSON {
    .object([.init("classes", .array(profile.classes.map(json)))])
  }

  private static func json(of one: ContentionProfile.LockClass) -> JSON {
    members(
      ("kind", .string(one.kind.rawValue)), ("mode", .string(one.mode.rawValue)),
      ("label", one.label.map(JSON.string)),
      (one.isFirstUse ? "firstUsed" : "created", .array(one.place.map(json))),
      ("acquisitions", .integer(one.acquisitions)), ("contended", .integer(one.contended)),
      ("wait", json(of: one.wait)), ("hold", json(of: one.hold)),
      ("longestHolder", .array(one.longestHolder.map(json))))
  }

  private static func json(of durations: DurationHistogram) -> JSON {
    let buckets = durations.counts.enumerated().filter { $0.element != 0 }
    return members(
      ("p50", .integer(durations.percentile(50))), ("p99", .integer(durations.percentile(99))),
      ("max", .integer(durations.longest)), ("total", .integer(durations.total)),
      (
        "buckets",
        .object(
          buckets.map { bucket, count in
            JSON.Member(String(DurationHistogram.bound(of: bucket)), .integer(count))
          })
      ))
  }

  // MARK: Reading

  static func profile(_ json: JSONReader) throws(ReportFormatError) -> ContentionProfile? {
    guard !json.isMissing else { return nil }
    return ContentionProfile(classes: try json["classes"].array(lockClass))
  }

  private static func lockClass(
    _ json: JSONReader
  ) throws(ReportFormatError) -> ContentionProfile.LockClass {
    let isFirstUse = json["created"].isMissing
    return ContentionProfile.LockClass(
      kind: try json["kind"].name(), mode: try json["mode"].name(),
      label: try json["label"].optionalString(),
      place: try frames(json[isFirstUse ? "firstUsed" : "created"]),
      isFirstUse: isFirstUse, acquisitions: try json["acquisitions"].integer(Int.self),
      contended: try json["contended"].integer(Int.self), wait: try durations(json["wait"]),
      hold: try durations(json["hold"]),
      longestHolder: try frames(json["longestHolder"]))
  }

  /// The percentiles are made again, not read.
  private static func durations(_ json: JSONReader) throws(ReportFormatError) -> DurationHistogram {
    var counts = Array(repeating: 0, count: DurationHistogram.bucketCount)
    let buckets = json["buckets"]
    for (name, value) in try buckets.members() {
      guard let bound = Int(name), bound >= 0 else {
        throw buckets.expected("durations in nanoseconds")
      }
      counts[DurationHistogram.bucket(of: bound)] = try value.integer(Int.self)
    }
    return DurationHistogram(
      counts: counts, total: try json["total"].integer(Int.self),
      longest: try json["max"].integer(Int.self))
  }
}
