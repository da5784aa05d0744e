/// What the system lets a thread run before: its real-time priority, else its nice value. It stands
/// in where nobody chose a quality of service.
///
/// The raw values are the gate's: 0x40 for idle; 0x40 and 20 less the nice value; 0x68 and the
/// real-time priority; 0xFF for threads with deadlines.
package struct SchedulingRank: RawRepresentable, Comparable, Sendable {
  package let rawValue: UInt8

  private static let idle: UInt8 = 0x40
  private static let realTime: UInt8 = 0x68

  /// `nil` for a quality of service, and for nothing at all.
  package init?(rawValue: UInt8) {
    guard rawValue >= Self.idle else { return nil }
    self.rawValue = rawValue
  }

  /// What a reader calls it.
  package var name: String {
    switch rawValue {
    case .max: "deadline"
    case Self.idle: "idle"
    case ...Self.realTime: "nice \(20 - Int(rawValue - Self.idle))"
    default: "real-time priority \(rawValue - Self.realTime)"
    }
  }

  package static func < (a: SchedulingRank, b: SchedulingRank) -> Bool { a.rawValue < b.rawValue }
}
