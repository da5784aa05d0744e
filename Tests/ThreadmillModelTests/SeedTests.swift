import Testing
import ThreadmillModel

@Suite struct SeedTests {
  /// The numbers that the authors' own program prints for this seed.
  @Test func theNumbersAreThoseOfThePaper() {
    var generator = SplitMix64(seed: Seed(rawValue: 1_234_567))
    let numbers = (0..<3).map { _ in generator.next() }
    #expect(
      numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test func derivedSeedsAreTheSameEachTimeAndAllDifferent() {
    let seed = Seed(rawValue: 7)
    let derived = (0..<1_000).map { Seed.derived(from: seed, $0) }
    #expect(derived == (0..<1_000).map { Seed.derived(from: seed, $0) })
    #expect(Set(derived).count == 1_000)
    #expect(!derived.contains(seed))
    #expect(Seed.derived(from: Seed(rawValue: 8), 0) != derived[0])
  }

  @Test func skippingIsTakingWithoutLooking() {
    var taken = SplitMix64(seed: Seed(rawValue: 5))
    var skipped = taken
    for _ in 0..<3 { _ = taken.next() }
    skipped.skip(3)
    #expect(taken.next() == skipped.next())
  }
}
