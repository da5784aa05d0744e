/// The schedule in the midst of which a process ended, for the process that looks into it.
package struct LostSchedule: Hashable, Sendable {
  package var schedule: Schedule
  /// Its number in its exploration, from 1.
  package var number: Int
  /// The test that explored, as findings name it.
  package var test = ""

  package init(_ schedule: Schedule, number: Int, test: String = "") {
    (self.schedule, self.number, self.test) = (schedule, number, test)
  }

  /// Three lines.
  package var text: String { "\(number)\n\(schedule)\n\(test)\n" }

  /// `nil` if these are not the lines of ``text``.
  package init?(parsing lines: some Sequence<String>) {
    let lines = Array(lines.prefix(3))
    guard lines.count == 3, let number = Int(lines[0]),
      let schedule = try? Schedule(parsing: lines[1])
    else { return nil }
    self.init(schedule, number: number, test: lines[2])
  }

  /// The same of what the process has left behind; `nil` if it was in no schedule.
  package init?(in bytes: UnsafeRawBufferPointer) {
    guard let schedule = ScheduleTrail.schedule(in: bytes),
      let number = ScheduleTrail.number(in: bytes)
    else { return nil }
    self.init(schedule, number: number)
  }
}
