import ThreadmillModel

/// A finding as the best of several reports tells it: a value of a semilattice, so that neither
/// order nor repetition of what is absorbed matters.
struct FindingSight: Sendable {
  let fingerprint: String
  private(set) var finding: Finding
  private var tests: Set<String>
  /// Tells details of equal strength apart; made when two meet for the first time.
  private var digest: String?

  init(_ finding: Finding, _ fingerprint: String) {
    self.fingerprint = fingerprint
    tests = Set(finding.tests)
    self.finding = finding
  }

  /// With what was counted elsewhere.
  func finding(count: Int) -> Finding {
    var finding = finding
    finding.count = count
    finding.tests = tests.sorted()
    return finding
  }

  mutating func absorb(_ other: FindingSight) {
    tests.formUnion(other.tests)
    let (mine, others) = (finding, other.finding)
    if Self.strength(of: others) < Self.strength(of: mine) {
      (finding, digest) = (others, other.digest)
    } else if Self.strength(of: others) == Self.strength(of: mine) {
      let mineDigest = digest ?? Self.digest(of: mine)
      let othersDigest = other.digest ?? Self.digest(of: others)
      digest = min(mineDigest, othersDigest)
      if othersDigest < mineDigest { finding = others }
    }
    finding.confirmation = Self.confirmation(mine, others, with: finding.status)
    finding.judgement = Self.judgement(mine.judgement, others.judgement)
  }

  /// The less, the more it says; without a seed it cannot be run again.
  private static func strength(of finding: Finding) -> (Int, Int, Int, UInt64) {
    (
      finding.status.rank, finding.severity.rank, finding.seed == nil ? 1 : 0, finding.seed ?? 0
    )
  }

  /// The digest of everything that is not merged.
  private static func digest(of finding: Finding) -> String {
    var bare = finding
    (bare.tests, bare.count, bare.confirmation, bare.judgement) = ([], 0, nil, nil)
    return ContentDigest.text(of: JSONReport.json(of: bare))
  }

  /// That of the findings with the status that won; one that was reached before one that was not.
  private static func confirmation(
    _ a: Finding, _ b: Finding, with status: Finding.Status
  ) -> Finding.Confirmation? {
    let all = Set([a, b].filter { $0.status == status }.compactMap(\.confirmation))
    guard all.count > 1 else { return all.first }
    return all.min { rank(of: $0) < rank(of: $1) }
  }

  private static func rank(of confirmation: Finding.Confirmation) -> (Int, Int, String) {
    (
      confirmation.deadlock.isEmpty ? 1 : 0, confirmation.tries,
      ContentDigest.text(of: JSONReport.json(of: confirmation))
    )
  }

  /// The judgement of a merged finding: that of the finding which counts, if one does.
  private static func judgement(
    _ a: Finding.Judgement?, _ b: Finding.Judgement?
  ) -> Finding.Judgement? {
    rank(of: a) < rank(of: b) ? a : b
  }

  private static func rank(of judgement: Finding.Judgement?) -> [String] {
    switch judgement {
    case nil: ["0"]
    case .new: ["1"]
    case .known: ["2"]
    case .suppressed(let reason, let by): ["3", reason, by]
    }
  }
}

extension [String] {
  fileprivate static func < (a: [String], b: [String]) -> Bool { a.lexicographicallyPrecedes(b) }
}
