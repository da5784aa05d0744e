import ThreadmillModel

/// Draws decisions from a seed.
struct Drawing {
  private var generator: SplitMix64

  /// Policies draw from one seed and must not draw the same.
  init(_ seed: Seed, salt: UInt64) {
    generator = SplitMix64(seed: Seed(rawValue: seed.rawValue ^ salt &* 0xD6E8_FEB8_6659_FD93))
  }

  mutating func number() -> UInt64 { generator.next() }

  mutating func integer(in range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &generator)
  }

  /// Of a scale on which each power of two is as likely as any other: mostly short, sometimes long.
  mutating func heavyTailed(_ range: ClosedRange<Int>) -> Int {
    var upper = range.lowerBound
    var powers = 0
    while upper < range.upperBound { (upper, powers) = (upper * 2, powers + 1) }
    let power = integer(in: 0...max(0, powers - 1))
    let from = range.lowerBound << power
    return integer(in: from...min(range.upperBound, from * 2))
  }

  /// A table in which each share has its part; the rest is nothing.
  mutating func table(
    of count: Int = JitterPlan.choices, _ shares: Share...
  ) -> [JitterPlan.Decision] {
    var table: [JitterPlan.Decision] = []
    for share in shares {
      let entries = Int((Double(count) * share.percent / 100).rounded())
      for _ in 0..<min(entries, count - table.count) { table.append(decision(share.kind)) }
    }
    table += Array(repeating: .nothing, count: count - table.count)
    table.shuffle(using: &generator)
    return table
  }

  private mutating func decision(_ kind: Share.Kind) -> JitterPlan.Decision {
    switch kind {
    case .yield: .yield
    case .spin(let range): .spin(microseconds: heavyTailed(range))
    case .sleep(let range): .sleep(microseconds: heavyTailed(range))
    case .sleepEvenly(let range): .sleep(microseconds: integer(in: range))
    }
  }
}

/// A part of a table of decisions, in percent, with the microseconds that it takes.
struct Share {
  fileprivate enum Kind {
    case yield
    case spin(ClosedRange<Int>)
    case sleep(ClosedRange<Int>)
    case sleepEvenly(ClosedRange<Int>)
  }

  fileprivate let percent: Double
  fileprivate let kind: Kind

  static func yield(_ percent: Double) -> Share { Share(percent: percent, kind: .yield) }

  /// Lengths on a heavy-tailed scale.
  static func spin(_ percent: Double, _ range: ClosedRange<Int>) -> Share {
    Share(percent: percent, kind: .spin(range))
  }

  /// Lengths on a heavy-tailed scale.
  static func sleep(_ percent: Double, _ range: ClosedRange<Int>) -> Share {
    Share(percent: percent, kind: .sleep(range))
  }

  /// Each length as likely as any other.
  static func sleepEvenly(_ percent: Double, _ range: ClosedRange<Int>) -> Share {
    Share(percent: percent, kind: .sleepEvenly(range))
  }
}
