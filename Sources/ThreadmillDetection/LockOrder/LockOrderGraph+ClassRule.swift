import ThreadmillModel
import ThreadmillOrders

/// The code that took one lock and, holding it, another: the calls from it down to each of them.
struct NestingPlace: Hashable {
  var outer: [UInt64]
  var inner: [UInt64]
}

extension LockOrderGraph {
  /// Whether both ends were created by the same calls.
  func isWithinClass(_ edge: Edge) -> Bool {
    guard let site = objects[edge.from]?.creationSite else { return false }
    return site == objects[edge.to]?.creationSite
  }

  /// A warning if one piece of code nests two locks of one class both ways round, once for each
  /// class.
  ///
  /// What separates the two acquisitions, one thread or the order of things, is then an accident of
  /// this run; a gate lock is not. Different pieces of code may well have agreed on an order.
  mutating func warning(about dependency: Dependency) -> Finding? {
    let edge = dependency.edge
    guard isWithinClass(edge), let site = objects[edge.from]?.creationSite,
      !warnedClasses.contains(site),
      Cycle([edge.from, edge.to]).map(candidates.isReported) == false,
      let other = accidentallySeparate(from: dependency),
      let (_, chain) = Cycle.closed(by: [dependency, other])
    else { return nil }
    warnedClasses.insert(site)
    return unorderedClass(chain)
  }

  private func accidentallySeparate(from dependency: Dependency) -> Dependency? {
    let back = Edge(from: dependency.edge.to, to: dependency.edge.from)
    guard let place = dependency.place(frames: limits.callPathFrames) else { return nil }
    return dependencies[back]?.all.first { other in
      dependency.waits(for: other) && other.waits(for: dependency)
        && [.order, .strand].contains(dependency.separation(from: other))
        && other.place(frames: limits.callPathFrames) == place
    }
  }
}

extension Dependency {
  /// The calls below the innermost frame from which on both stacks agree: the code that nests them.
  ///
  /// Either stack may have been cut short. Without such a frame, or when one call in a loop took
  /// both, the innermost `frames` of each. Two empty stacks say nothing, so they are no place.
  func place(frames: Int) -> NestingPlace? {
    let stack = acquisition.stack.userAddresses
    let site = acquisition.site(of: edge.from)?.userAddresses ?? []
    guard !stack.isEmpty else { return nil }
    for start in stack.indices {
      let shared = site.indices.first { zip(stack[start...], site[$0...]).allSatisfy(==) }
      guard let shared else { continue }
      if start == 0 || shared == 0 { break }
      return NestingPlace(outer: Array(site[..<shared]), inner: Array(stack[..<start]))
    }
    return NestingPlace(outer: Array(site.prefix(frames)), inner: Array(stack.prefix(frames)))
  }
}
