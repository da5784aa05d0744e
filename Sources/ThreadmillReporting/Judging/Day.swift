/// A day of the calendar, without a time zone.
package struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let year: Int
  package let month: Int
  package let day: Int

  /// `nil` for a day that no Gregorian calendar has.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  private init(year: Int, month: Int, day: Int, unchecked: Void) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads `2027-01-31`, and nothing else.
  package init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let numbers = parts.compactMap { $0.utf8.allSatisfy(digits.contains) ? Int($0) : nil }
    guard parts.map(\.utf8.count) == [4, 2, 2], numbers.count == 3 else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// The day in UTC, so that machines agree, so many seconds after the beginning of 1970.
  package init(secondsSince1970 seconds: Int) {
    var day = Self(year: 1970, month: 1, day: 1, unchecked: ())
    // By whole years, then months: a few dozen steps.
    var rest = max(0, seconds / 86_400)
    while rest >= Self.days(of: day.year), day.year < 9999 {
      rest -= Self.days(of: day.year)
      day = Self(year: day.year + 1, month: 1, day: 1, unchecked: ())
    }
    while rest >= Self.days(in: day.month, of: day.year), day.month < 12 {
      rest -= Self.days(in: day.month, of: day.year)
      day = Self(year: day.year, month: day.month + 1, day: 1, unchecked: ())
    }
    let last = Self.days(in: day.month, of: day.year)
    self.init(year: day.year, month: day.month, day: min(rest + 1, last), unchecked: ())
  }

  private static func days(of year: Int) -> Int { days(in: 2, of: year) == 29 ? 366 : 365 }

  package static func < (a: Day, b: Day) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }

  package var description: String {
    func digits(_ number: Int, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
