/// How many of several equal runs showed each finding or failure.
package struct Tally: Hashable, Sendable {
  /// One run, with all that it takes to run it again.
  package struct Run: Hashable, Sendable {
    /// From 1.
    package var number: Int
    package var policy: JitterPolicy
    /// `nil` where nothing was left to chance.
    package var seed: Seed?

    package init(number: Int, policy: JitterPolicy, seed: Seed?) {
      self.number = number
      self.policy = policy
      self.seed = seed
    }
  }

  /// Something that a run may show: a finding, a failed expectation.
  package struct Sight: Hashable, Sendable {
    /// The same whenever the same is seen again: for a finding, its fingerprint.
    package var key: String
    /// One line for people.
    package var title: String

    package init(key: String, title: String) {
      self.key = key
      self.title = title
    }
  }

  package struct Entry: Hashable, Sendable {
    /// As it was first seen.
    package var sight: Sight
    /// In how many runs.
    package var count: Int
    package var first: Run
  }

  package private(set) var runs = 0
  /// In the order in which they were first seen.
  package private(set) var entries: [Entry] = []

  package init() {}

  /// Adds one run. What it has shown several times counts once. Linear in the number of entries.
  ///
  /// - Returns: what no run before it has shown.
  @discardableResult
  package mutating func add(_ run: Run, showing sights: [Sight]) -> [Sight] {
    runs += 1
    var seen: Set<String> = []
    var new: [Sight] = []
    for sight in sights where seen.insert(sight.key).inserted {
      if let known = entries.firstIndex(where: { $0.sight.key == sight.key }) {
        entries[known].count += 1
      } else {
        entries.append(Entry(sight: sight, count: 1, first: run))
        new.append(sight)
      }
    }
    return new
  }

  package func interval(of entry: Entry) -> WilsonInterval {
    WilsonInterval(successes: entry.count, of: runs)
  }
}

/// The results of the runs under one jitter policy.
package struct PolicyOutcome: Hashable, Sendable {
  package var policy: JitterPolicy
  package var runs = 0
  /// The pairs of locks and of threads that no run before had shown.
  package var newPairs = 0

  package init(policy: JitterPolicy, runs: Int = 0, newPairs: Int = 0) {
    self.policy = policy
    self.runs = runs
    self.newPairs = newPairs
  }
}

extension Finding {
  /// The finding as one thing that runs may show.
  package var sight: Tally.Sight { Tally.Sight(key: fingerprint, title: title) }
}
