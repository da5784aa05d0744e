extension Report {
  /// What one report has put into a report of several: enough to count it once, however often and
  /// on whatever ways it comes.
  package struct Source: Hashable, Codable, Sendable {
    /// Of the whole content, but for judgements.
    package var digest: String
    package var run: Run
    package var accounting: [String: Int]
    /// How often it saw each finding, by fingerprint.
    package var counts: [String: Int]
    package var profile: ContentionProfile?
    package var lockGraph: LockGraph?
    package var trace: Trace?

    /// What is 0 is left out.
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
    package var total: Int
    /// Ascending; not empty.
    package var missing: [Int]

    package init(total: Int, missing: [Int]) {
      self.total = total
      self.missing = missing
    }

    /// `shards 2 and 5 of 8 are`
    package var words: String {
      let names = missing.prefix(Self.named).map(String.init)
      let rest = missing.count - names.count
      let parts = names + (rest > 0 ? ["\(rest) more"] : [])
      let last = parts[parts.count - 1]
      let list = parts.count == 1 ? last : "\(parts.dropLast().joined(separator: ", ")) and \(last)"
      let isOne = missing.count == 1
      return "\(isOne ? "shard" : "shards") \(list) of \(total) \(isOne ? "is" : "are")"
    }

    /// How many words names; whole racks may be lost.
    private static let named = 20
  }

  /// For each way in which the run was split, the shards that are not there; a report that is one
  /// shard itself lacks all others. Where nothing was split, nothing is missing.
  package var gaps: [Gap] {
    let runs = sources.isEmpty ? [run] : sources.map(\.run)
    let splits = Dictionary(grouping: runs.compactMap(\.shard), by: \.total)
    return splits.sorted { $0.key < $1.key }.compactMap { total, shards in
      let there = Set(shards.map(\.index))
      let missing = (1...max(1, total)).filter { !there.contains($0) }
      return missing.isEmpty ? nil : Gap(total: total, missing: missing)
    }
  }
}
