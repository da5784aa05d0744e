/// How the timing of threads is disturbed.
@nonexhaustive
public enum JitterPolicy: String, CaseIterable, Sendable, Codable {
  case off
  /// Gives the processor up, now and then.
  case light
  /// Gives it up, spins and sleeps, mostly short and sometimes long.
  case heavy
  /// Keeps a few threads back for a while, again and again.
  case starve
  /// Lets one thread go before the other, and changes that a few times.
  case priority
  /// Delays where two threads came close to each other before.
  case nearMiss = "near-miss"
  /// A mixture of all of them.
  case portfolio
}

/// A place at which two threads came close to each other, as it is called in every run.
package struct NearMiss: Hashable, Sendable {
  /// The image's file name, empty for the program itself.
  package var image: String
  package var offset: UInt64
  /// The probability of a delay there, in 256ths; 0 for a place where delays led to nothing.
  package var weight: Int

  package init(image: String, offset: UInt64, weight: Int) {
    (self.image, self.offset, self.weight) = (image, offset, weight)
  }
}

/// How much of what can happen has been seen since the process began.
package struct JitterCoverage: Hashable, Sendable {
  /// Distinct pairs of locks, by where they were made, one taken inside the other.
  package var lockPairs: Int
  /// Distinct threads of which one used an object, by where it was made, right after the other.
  package var threadPairs: Int

  /// The number of pairs of both kinds.
  package var pairs: Int { lockPairs + threadPairs }

  package init(lockPairs: Int = 0, threadPairs: Int = 0) {
    self.lockPairs = lockPairs
    self.threadPairs = threadPairs
  }
}
