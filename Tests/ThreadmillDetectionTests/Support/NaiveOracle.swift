import ThreadmillModel

/// Finds the cycles that can deadlock by trying every sequence of acquisitions; knows no clocks and
/// no graph.
struct NaiveOracle {
  private struct Acquisition {
    var strand: StrandID
    var step: Int
    var held: [LockID: HoldMode]
    var wanted: LockID
    var mode: HoldMode
  }

  /// One acquisition and one of the locks held in it.
  private struct Link {
    var acquisition: Acquisition
    var from: LockID
  }

  private let past: [UInt128]
  private var acquisitions: [Acquisition] = []
  private var gone: Set<LockID> = []
  private var noLocks: Set<LockID> = []
  /// All cycles so far, each starting with its lowest lock.
  private(set) var cycles: Set<[LockID]> = []

  init(past: [UInt128]) { self.past = past }

  mutating func take(_ occurrence: Simulator.Occurrence) {
    switch occurrence {
    case .created: break
    case .nested(let event, let step): add(event, step)
    case .retired(let lock):
      search()
      gone.insert(lock)
    case .disqualified(let lock):
      search()
      noLocks.insert(lock)
    }
  }

  private mutating func add(_ event: NestedAcquisition, _ step: Int) {
    guard !event.held.contains(where: { $0.lock == event.wanted.lock }) else { return }
    let held = Dictionary(event.held.map { ($0.lock, $0.mode) }) { one, other in
      one == .exclusive ? one : other
    }
    acquisitions.append(
      Acquisition(
        strand: event.moment.strand, step: step, held: held, wanted: event.wanted.lock,
        mode: event.wanted.mode))
  }

  /// Adds all cycles of what lives now.
  mutating func search() {
    let links = acquisitions.flatMap { acquisition in
      acquisition.held.keys.map { Link(acquisition: acquisition, from: $0) }
    }
    let live = links.filter { link in
      [link.from, link.acquisition.wanted].allSatisfy {
        !gone.contains($0) && !noLocks.contains($0)
      }
    }
    for link in live { extend([link], with: live) }
  }

  private mutating func extend(_ chain: [Link], with links: [Link]) {
    let first = chain[0]
    let last = chain[chain.count - 1]
    if chain.count > 1, waits(last, for: first) { cycles.insert(chain.map(\.from)) }
    for next in links where next.from > first.from && waits(last, for: next) {
      let isNew = chain.allSatisfy {
        $0.from != next.from && canMeet($0.acquisition, next.acquisition)
      }
      if isNew { extend(chain + [next], with: links) }
    }
  }

  private func waits(_ one: Link, for other: Link) -> Bool {
    guard one.acquisition.wanted == other.from, let mode = other.acquisition.held[other.from] else {
      return false
    }
    return !(mode == .shared && one.acquisition.mode == .shared)
  }

  private func canMeet(_ one: Acquisition, _ other: Acquisition) -> Bool {
    guard one.strand != other.strand else { return false }
    guard past[one.step] & (1 << UInt128(other.step)) == 0,
      past[other.step] & (1 << UInt128(one.step)) == 0
    else { return false }
    return one.held.allSatisfy { lock, mode in
      guard !noLocks.contains(lock), let theirs = other.held[lock] else { return true }
      return mode == .shared && theirs == .shared
    }
  }
}
