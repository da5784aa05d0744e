import ThreadmillReporting

/// Rates for machines.
///
/// `version`, `seed`, and `rates`: `scenario`, `policy`, `runs`, `detected`, `low` and `high` (the
/// ends of the 95 % interval of the share, from 0 to 1), `first` (seconds of running until the
/// first detection, or null).
package struct RatesJSON {
  /// The version of the form of ``json``.
  package static let version = 1

  private let rates: Rates

  package init(_ rates: Rates) { self.rates = rates }

  package var json: JSON {
    .object([
      JSON.Member("version", .integer(Self.version)),
      JSON.Member("seed", .integer(rates.seed.rawValue)),
      JSON.Member("rates", .array(rates.rows.map(Self.json))),
    ])
  }

  private static func json(_ row: Rates.Row) -> JSON {
    let interval = row.interval
    return .object([
      JSON.Member("scenario", .string(row.scenario)),
      JSON.Member("policy", .string(row.treatment.name)),
      JSON.Member("runs", .integer(row.samples.count)),
      JSON.Member("detected", .integer(row.detected)),
      JSON.Member("low", .decimal(interval.low, places: 6)),
      JSON.Member("high", .decimal(interval.high, places: 6)),
      JSON.Member("first", row.first.map { .decimal($0, places: 3) } ?? .null),
    ])
  }
}
