import Testing
import ThreadmillScheduling

/// Strand 1 uses something at step 1 and stores at step 3; strand 2 loads at step 4 and uses it at
/// step 6.
@Suite struct HandOverTests {
  private func handOver(
    _ store: MemoryOrder, _ load: MemoryOrder, fences: [HandOver.Access] = [], reading read: Int = 3
  ) -> HandOver? {
    let accesses =
      [
        HandOver.Access(.store, step: 3, strand: 1, store),
        HandOver.Access(.load(of: read), step: 4, strand: 2, load),
      ] + fences
    return HandOver(
      from: [.init(step: 1, strand: 1), .init(step: 7, strand: 1)],
      to: [.init(step: 2, strand: 2), .init(step: 6, strand: 2)],
      by: accesses.sorted { $0.step < $1.step })
  }

  @Test(arguments: [
    (MemoryOrder.relaxed, MemoryOrder.acquire, false, true), (.relaxed, .relaxed, false, false),
    (.release, .relaxed, true, false), (.acquire, .sequential, false, true),
  ])
  func whatIsTooWeakIsNamed(
    _ store: MemoryOrder, _ load: MemoryOrder, _ releases: Bool, _ acquires: Bool
  ) throws {
    let found = try #require(handOver(store, load))
    #expect(found.store == HandOver.Access(.store, step: 3, strand: 1, store))
    #expect(found.load == HandOver.Access(.load(of: 3), step: 4, strand: 2, load))
    #expect(found.releases == releases)
    #expect(found.acquires == acquires)
  }

  @Test func whatIsStrongEnoughIsNot() {
    #expect(handOver(.release, .acquire) == nil)
    #expect(handOver(.sequential, .sequential) == nil)
  }

  @Test func fencesCount() throws {
    let releasing = HandOver.Access(.fence, step: 2, strand: 1, .release)
    let acquiring = HandOver.Access(.fence, step: 5, strand: 2, .acquire)
    #expect(handOver(.relaxed, .relaxed, fences: [releasing, acquiring]) == nil)
    #expect(try #require(handOver(.relaxed, .relaxed, fences: [releasing])).releases)
    // Of another strand, before the use, or too weak itself.
    for fence in [
      HandOver.Access(.fence, step: 2, strand: 2, .release),
      HandOver.Access(.fence, step: 0, strand: 1, .release),
      HandOver.Access(.fence, step: 2, strand: 1, .acquire),
    ] {
      #expect(try #require(handOver(.relaxed, .acquire, fences: [fence])).releases == false)
    }
  }

  /// The load sees the initial value, or a store of its own strand.
  @Test func whoSeesNoStoreOfTheOtherIsToldNothing() {
    #expect(handOver(.relaxed, .relaxed, reading: 0) == nil)
    let own = [
      HandOver.Access(.store, step: 3, strand: 2, .relaxed),
      HandOver.Access(.load(of: 3), step: 4, strand: 2, .relaxed),
    ]
    #expect(
      HandOver(from: [.init(step: 1, strand: 1)], to: [.init(step: 6, strand: 2)], by: own) == nil)
  }

  /// The one before comes after the store, or the one behind before the load.
  @Test func whatIsNotBetweenTheUsesIsNoHandOver() {
    let accesses = [
      HandOver.Access(.store, step: 3, strand: 1, .relaxed),
      HandOver.Access(.load(of: 3), step: 4, strand: 2, .relaxed),
    ]
    func handOver(_ before: Int, _ after: Int) -> HandOver? {
      HandOver(
        from: [.init(step: before, strand: 1)], to: [.init(step: after, strand: 2)], by: accesses)
    }
    #expect(handOver(1, 6) != nil)
    #expect(handOver(5, 6) == nil)
    #expect(handOver(1, 2) == nil)
  }
}
