/// How the order of an exploration's steps is chosen, as users write it.
@nonexhaustive
public enum ExplorationStrategy: String, CaseIterable, Sendable, Codable {
  /// Any strand is as likely as any other, at every step.
  case randomWalk = "random-walk"
  /// Random priorities that change a few times.
  case pct
  /// Random priorities of steps; those that race draw again.
  case pos
  /// Every interleaving is as likely as any other, as far as the strands' lengths are known.
  case uniformRandomWalk = "uniform-random-walk"
  /// Every schedule, those with the fewest forced switches first.
  case exhaustive
  /// Leads to pairs of steps, of which one sees what the other did, that were not seen yet.
  case readsFrom = "reads-from"
  /// All of them, those more often that show more that is new.
  case portfolio
}
