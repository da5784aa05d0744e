/// How long many things took, in nanoseconds, in memory that does not grow with their number.
///
/// Below 4 every number has a bucket of its own, above there are four for each power of two: a
/// bucket's last number is less than a quarter above its first. The sum and the greatest are exact.
package struct DurationHistogram: Hashable, Sendable {
  /// The last one takes everything above it, too.
  package static let bucketCount = 192

  /// How many durations each bucket has; those of 0 at the end are left out.
  package private(set) var counts: [Int] = []
  package private(set) var total = 0
  package private(set) var longest = 0

  package init() {}

  /// From the counts of the first buckets; the rest is empty.
  package init(counts: [Int], total: Int, longest: Int) {
    self.counts = Array(counts.prefix(Self.bucketCount))
    self.total = total
    self.longest = longest
    while self.counts.last == 0 { self.counts.removeLast() }
  }

  /// How many durations there are.
  package var count: Int { counts.reduce(0, Report.sum) }

  package mutating func add(_ nanoseconds: Int) {
    let bucket = Self.bucket(of: nanoseconds)
    if counts.count <= bucket {
      counts += Array(repeating: 0, count: bucket + 1 - counts.count)
    }
    counts[bucket] = Report.sum(counts[bucket], 1)
    total = Report.sum(total, max(0, nanoseconds))
    longest = max(longest, nanoseconds)
  }

  /// The bucket of a number; one below 0 counts as 0.
  package static func bucket(of nanoseconds: Int) -> Int {
    guard nanoseconds >= 4 else { return max(0, nanoseconds) }
    let power = Int.bitWidth - 1 - nanoseconds.leadingZeroBitCount
    return min((power - 1) * 4 + (nanoseconds >> (power - 2)) & 3, bucketCount - 1)
  }

  /// The greatest number of a bucket.
  package static func bound(of bucket: Int) -> Int {
    guard bucket >= 4 else { return bucket }
    return (5 + bucket % 4) << (bucket / 4 - 1) - 1
  }

  /// So long or shorter were this many of a hundred: exact or up to a quarter too much, never more
  /// than the longest. 0 where there is nothing.
  package func percentile(_ percent: Int) -> Int {
    let count = count
    let (product, overflow) = count.multipliedReportingOverflow(by: percent)
    let rank = max(1, overflow ? count / 100 * percent : (product + 99) / 100)
    var seen = 0
    for (bucket, count) in counts.enumerated() {
      seen = Report.sum(seen, count)
      if seen >= rank { return min(Self.bound(of: bucket), longest) }
    }
    return longest
  }

  /// Both together, as if one had counted all. Sums that do not fit stay at `Int.max`.
  package func merged(with other: DurationHistogram) -> DurationHistogram {
    let size = max(counts.count, other.counts.count)
    let sums = (0..<size).map { bucket in
      Report.sum(
        bucket < counts.count ? counts[bucket] : 0,
        bucket < other.counts.count ? other.counts[bucket] : 0)
    }
    return DurationHistogram(
      counts: sums, total: Report.sum(total, other.total), longest: max(longest, other.longest))
  }
}
