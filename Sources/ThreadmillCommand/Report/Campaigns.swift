import ThreadmillModel

/// Which campaigns the shards in some files belong to.
///
/// Whole campaigns can be merged with each other. Where a shard is missing, one of another campaign
/// must not be there in its place: what such a mixture says is about neither.
struct Campaigns {
  /// The files of each; `nil` is for shards that do not say.
  private var files: [String?: [String]] = [:]

  /// How many files are named.
  private static let named = 3

  mutating func add(_ report: Report, from file: String) {
    for campaign in Set(report.shards.map(\.campaign)) {
      files[campaign, default: []].append(file)
    }
  }

  /// What is wrong with merging them; `nil` where all are of one campaign.
  var mixture: String? {
    guard files.count > 1 else { return nil }
    let ordered = files.sorted { ($0.key ?? "") < ($1.key ?? "") }
    let words = ordered.map { "\($0.key ?? "none that is named") (\(Self.list($0.value)))" }
    return "shards of different campaigns: \(words.joined(separator: ", ")); "
      + "nothing was written; give the shards of one campaign"
  }

  private static func list(_ files: [String]) -> String {
    let rest = files.count - named
    let names = files.prefix(named).joined(separator: ", ")
    return rest > 0 ? "\(names) and \(rest) more" : names
  }
}
