import Synchronization

extension Scenario {
  /// Settings are made when they are first needed, and published by an atomic pointer.
  ///
  /// **What people write.** Whoever finds no settings makes some and exchanges the pointer; whoever
  /// comes second takes what is there. The exchange is atomic, so there is one winner, and
  /// `.relaxed` passes every test.
  ///
  /// **Why it breaks.** The pointer and what it points to are different memory. A relaxed exchange
  /// does not order the initialiser before the pointer.
  ///
  /// **How it shows.** On ARM, settings that read as zero in the first moment after a start.
  ///
  /// **Repair.** Publish with `.acquiringAndReleasing`, and load with `.acquiring`; or use an
  /// `AtomicLazyReference`, which does both.
  static let lazyPointer = Scenario(
    id: "lazy-pointer", fault: .memory,
    summary: "An object is made lazily and published by a relaxed exchange of its pointer.",
    expectations: [
      .flawed: .init(
        .ends, observe: .missed, tsan: .finds("dataRace"), explore: .finds("dataRace"),
        options: "memory=weak"),
      .repaired: .init(.ends, observe: .silent, options: "memory=weak"),
    ],
    flawed: {
      let registry = Registry()
      onThreads(
        { demand(registry.settingsRelaxed().limit, equals: 7) },
        { demand(registry.settingsRelaxed().limit, equals: 7) })
    },
    repaired: {
      let registry = Registry()
      onThreads(
        { demand(registry.settings().limit, equals: 7) },
        { demand(registry.settings().limit, equals: 7) })
    })
}

private final class Settings: @unchecked Sendable {
  // Written by the initialiser alone.
  private(set) var limit = 0

  init(limit: Int) { self.limit = limit }
}

private final class Registry: Sendable {
  private let shared = Atomic<Unmanaged<Settings>?>(nil)

  func settingsRelaxed() -> Settings {
    if let known = shared.load(ordering: .relaxed) { return known.takeUnretainedValue() }
    let made = Unmanaged.passRetained(Settings(limit: 7))
    let (isFirst, other) = shared.compareExchange(
      expected: nil, desired: made, ordering: .relaxed)
    return take(made, isFirst, other)
  }

  func settings() -> Settings {
    if let known = shared.load(ordering: .acquiring) { return known.takeUnretainedValue() }
    let made = Unmanaged.passRetained(Settings(limit: 7))
    let (isFirst, other) = shared.compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    return take(made, isFirst, other)
  }

  private func take(
    _ made: Unmanaged<Settings>, _ isFirst: Bool, _ other: Unmanaged<Settings>?
  ) -> Settings {
    guard !isFirst, let other else { return made.takeUnretainedValue() }
    made.release()
    return other.takeUnretainedValue()
  }

  deinit { shared.load(ordering: .acquiring)?.release() }
}
