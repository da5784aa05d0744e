import ThreadmillModel

extension Samples {
  private static let transferLine = place("transfer()", "Sources/Bank.swift", 1)
  private static let auditLine = place("audit()", "Sources/Bank.swift", 2)

  static let storyPlaces = [transferLine, auditLine]

  /// One of each that a table has.
  static let story = ScheduleStory(
    columns: ["body", "thread 1", "thread \"audit\""],
    steps: [
      .init(number: 1, column: 0, .begin),
      .init(number: 2, column: 0, .spawn, places: [transferLine]),
      .init(number: 3, column: 1, .lock, object: "mutex L1", places: [transferLine]),
      .init(number: 9, column: 1, .unlock, object: "mutex L1", places: [auditLine]),
      .init(number: 12, column: 2, .lock, object: "mutex L2", isForced: true, places: [auditLine]),
      .init(number: 13, column: 0, .begin), .init(number: 14, column: 0, .wait),
    ], total: 16,
    waits: [
      .init(
        .init(number: 17, column: 0, .join, object: "thread 1", places: [transferLine]), holder: 1),
      .init(
        .init(number: 17, column: 1, .lock, object: "mutex L2", places: [auditLine]), holder: 2),
      .init(
        .init(number: 17, column: 2, .lock, object: "mutex L4", places: [auditLine]), holder: 1,
        isHolderOver: true),
      .init(.init(number: 17, column: 2, .wait, object: "semaphore L3")),
    ],
    awaits: [
      .init("task 4 waits for a continuation that nobody has resumed", places: [auditLine]),
      .init("task 5 was started"),
    ], schedule: "tm1:abc")

  /// A body that only awaits.
  static let awaitingStory = ScheduleStory(
    columns: ["body"], steps: [.init(number: 1, column: 0, .begin)], total: 1,
    awaits: [
      .init("body waits for the end of task 1", places: [transferLine], keepsBody: true),
      .init("task 2 waits for a continuation that nobody has resumed", places: [auditLine]),
    ], schedule: "tm1:ghi")

  static let endlessStory = ScheduleStory(
    columns: ["body"],
    steps: [
      .init(number: 1, column: 0, .begin),
      .init(number: 100_000, column: 0, .yield, places: [transferLine]),
    ], total: 100_000, isEndless: true, schedule: "tm1:def")

  private static func place(_ function: String, _ file: String, _ line: Int) -> Frame {
    Frame(address: 0, function: function, file: "\(folder)/\(file)", line: line, column: 5)
  }
}
