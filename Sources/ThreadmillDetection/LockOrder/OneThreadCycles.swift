import ThreadmillModel
import ThreadmillOrders

/// Cycles that one strand made alone: which of them are told, each place once.
///
/// They cannot deadlock as they are. But a unit test calls its class from one thread, and the
/// program from many: whoever takes both orders may one day do so on two threads.
struct OneThreadCycles: Sendable {
  /// The code of a cycle: the nestings that it is made of, whichever comes first.
  private typealias Code = Set<NestingPlace>

  private var known: Set<Code> = []
  private(set) var toldCount = 0

  /// Returns whether the code of this chain is news, and remembers it. Code that cannot be named is
  /// always news.
  mutating func insert(_ chain: [Dependency], frames: Int) -> Bool {
    let places = chain.compactMap { $0.place(frames: frames) }
    guard places.count == chain.count else { return true }
    return known.insert(Set(places)).inserted
  }

  mutating func countTold() { toldCount += 1 }
}

extension LockOrderGraph {
  /// Returns the note about a dropped cycle; `nil` if several strands made it, or if its code was
  /// told before.
  ///
  /// Semaphores are left out: a thread may wait for two of them in any order if others signal them.
  mutating func note(about chain: [Dependency]) -> Finding? {
    guard Set(chain.map(\.acquisition.moment.strand)).count == 1 else { return nil }
    count(.lockCyclesOfOneThread)
    let kinds = chain.map { object($0.edge.from)?.kind }
    guard !kinds.contains(.semaphore), !chain.contains(where: isOfWarnedClass),
      oneThreadCycles.insert(chain, frames: limits.callPathFrames)
    else { return nil }
    guard oneThreadCycles.toldCount < limits.oneThreadNotes else {
      count(.lockNotesNotReported)
      return nil
    }
    oneThreadCycles.countTold()
    return oneThreadCycle(chain)
  }

  private func isOfWarnedClass(_ dependency: Dependency) -> Bool {
    guard let site = objects[dependency.edge.from]?.creationSite else { return false }
    return isWithinClass(dependency.edge) && warnedClasses.contains(site)
  }
}
