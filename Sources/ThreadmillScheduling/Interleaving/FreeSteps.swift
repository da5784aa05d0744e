import ThreadmillModel

/// The steps that a strategy does not hold, and their places among all that can be made.
struct FreeSteps: Sendable {
  private(set) var steps: [Offer] = []
  private(set) var places: [Int] = []

  /// Gathers them. A strand that does nothing but give up its turn may wait for one that is held,
  /// so its step is left out.
  @inline(__always)
  mutating func gather(_ enabled: UnsafeBufferPointer<Offer>, unless isHeld: (Offer) -> Bool) {
    steps.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    for index in enabled.indices {
      let step = enabled[index]
      if step.operation == .yield || isHeld(step) { continue }
      steps.append(step)
      places.append(index)
    }
  }
}
