/// What the locks of a run cost, by the places that made them.
package struct ContentionProfile: Hashable, Sendable {
  /// All locks of one kind that were made at one place. A read-write lock and a concurrent queue
  /// have one class for each mode.
  package struct LockClass: Hashable, Sendable {
    package var kind: SharedObject.Kind
    package var mode: HoldMode
    /// A queue's own name.
    package var label: String?
    /// The stack that made the first of them; where nobody saw one being made, its first use.
    package var place: Backtrace
    package var isFirstUse: Bool
    /// How often one was taken; taking a recursive one again is not counted, nor is giving up.
    package var acquisitions: Int
    /// How many of these found it taken, or waited for more than 200 microseconds.
    package var contended: Int
    package var wait: DurationHistogram
    /// A wait for a condition ends one hold and begins another. Nothing for
    /// `Synchronization.Mutex`, of which only contended acquisitions are seen.
    package var hold: DurationHistogram
    /// Where the longest hold ended.
    package var longestHolder: Backtrace

    package init(
      kind: SharedObject.Kind, mode: HoldMode = .exclusive, label: String? = nil,
      place: Backtrace, isFirstUse: Bool = false, acquisitions: Int, contended: Int,
      wait: DurationHistogram, hold: DurationHistogram, longestHolder: Backtrace
    ) {
      self.kind = kind
      self.mode = mode
      self.label = label
      self.place = place
      self.isFirstUse = isFirstUse
      self.acquisitions = acquisitions
      self.contended = contended
      self.wait = wait
      self.hold = hold
      self.longestHolder = longestHolder
    }
  }

  /// Those that were waited for the longest in sum come first.
  package private(set) var classes: [LockClass]

  /// Classes of one identity become one.
  package init(classes: [LockClass]) {
    var places: [PlaceIdentity: Int] = [:]
    var merged: [(identity: PlaceIdentity, value: LockClass)] = []
    for one in classes {
      let identity = one.identity
      if let place = places[identity] {
        merged[place].value.absorb(one)
      } else {
        places[identity] = merged.count
        merged.append((identity, one))
      }
    }
    let ordered = merged.sorted { a, b in
      let (x, y) = (a.value.rank, b.value.rank)
      return x == y ? a.identity < b.identity : x > y
    }
    self.classes = ordered.map(\.value)
  }

  /// Both as one: counts add up, histograms are united, the longer hold keeps its stack.
  package func merged(with other: ContentionProfile) -> ContentionProfile {
    ContentionProfile(classes: classes + other.classes)
  }
}

extension ContentionProfile.LockClass {
  /// What tells classes apart, in another process too.
  var identity: PlaceIdentity {
    PlaceIdentity(
      [kind.rawValue, mode.rawValue, label ?? "", isFirstUse ? "used" : "made"], place)
  }

  fileprivate var rank: (Int, Int, Int) { (wait.total, hold.total, acquisitions) }

  fileprivate mutating func absorb(_ other: Self) {
    acquisitions = Report.sum(acquisitions, other.acquisitions)
    contended = Report.sum(contended, other.contended)
    wait = wait.merged(with: other.wait)
    if other.hold.longest > hold.longest { longestHolder = other.longestHolder }
    hold = hold.merged(with: other.hold)
  }
}
