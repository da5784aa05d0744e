extension Report {
  /// The part of a merged report that one source report put into it. It is enough to count the
  /// source once, even if it is merged again.
  package struct Source: Hashable, Sendable {
    /// The digest of the whole content without judgements.
    package var digest: String
    package var run: Run
    package var accounting: [String: Int]
    /// How often it saw each finding, by fingerprint.
    package var counts: [String: Int]
    package var profile: ContentionProfile?
    package var lockGraph: LockGraph?
    package var trace: Trace?

    /// Leaves out counts of 0.
    package init(
      digest: String, run: Run, accounting: [String: Int] = [:], counts: [String: Int] = [:],
      profile: ContentionProfile? = nil, lockGraph: LockGraph? = nil, trace: Trace? = nil
    ) {
      self.digest = digest
      self.run = run
      self.accounting = accounting.filter { $0.value != 0 }
      self.counts = counts.filter { $0.value != 0 }
      self.profile = profile
      self.lockGraph = lockGraph
      self.trace = trace
    }
  }

  /// Into how many parts a run can be split.
  package static let mostShards = 1_000_000

  /// Shards of one split that are not all there.
  package struct Gap: Hashable, Sendable {
    package var campaign: String?
    package var total: Int
    /// Ascending; not empty.
    package var missing: [Int]

    package init(campaign: String? = nil, total: Int, missing: [Int]) {
      self.campaign = campaign
      self.total = total
      self.missing = missing
    }

    /// `shards 2 and 5 of 8 in campaign 1207 are`
    package var words: String {
      let names = missing.prefix(Self.named).map(String.init)
      let rest = missing.count - names.count
      let parts = names + (rest > 0 ? ["\(rest) more"] : [])
      let last = parts[parts.count - 1]
      let list = parts.count == 1 ? last : "\(parts.dropLast().joined(separator: ", ")) and \(last)"
      let isOne = missing.count == 1
      let whole = campaign.map { "\(total) in campaign \($0)" } ?? "\(total)"
      return "\(isOne ? "shard" : "shards") \(list) of \(whole) \(isOne ? "is" : "are")"
    }

    /// How many words names; whole racks may be lost.
    private static let named = 20
  }

  /// For each campaign, and each way in which it was split, the shards that are not there; a report
  /// that is one shard itself lacks all others. Where nothing was split, nothing is missing.
  package var gaps: [Gap] {
    let splits = Dictionary(grouping: shards) {
      Gap(campaign: $0.campaign, total: $0.total, missing: [])
    }
    let order = splits.sorted {
      ($0.key.campaign ?? "", $0.key.total) < ($1.key.campaign ?? "", $1.key.total)
    }
    return order.compactMap { split, shards in
      let there = Set(shards.map(\.index))
      let missing = (1...max(1, split.total)).filter { !there.contains($0) }
      return missing.isEmpty
        ? nil : Gap(campaign: split.campaign, total: split.total, missing: missing)
    }
  }

  /// All parts of splits that it is made of.
  package var shards: [Run.Shard] {
    (sources.isEmpty ? [run] : sources.map(\.run)).compactMap(\.shard)
  }
}
