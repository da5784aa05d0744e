/// Where a run left the schedule that it was to follow.
package struct Divergence: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The strand whose turn it was could not go on.
    case strandNotReady
    /// The strand whose turn it was did something else.
    case otherOperation
    /// Everything had been done, and the program went on.
    case wentOn
    /// The program was at its end before everything had been done.
    case endedEarly
  }

  package var kind: Kind
  /// The steps among which the first other one is, counted from 0. More than one in long
  /// schedules, which check several at a time.
  package var steps: ClosedRange<Int>
  /// Whose turn it was at the last of them; `nil` where nobody's was left.
  package var strand: UInt32?
  /// What that strand did there when the schedule was written down, where the schedule tells.
  package var operation: OperationKind?
  /// What there was instead: the offer of the strand, or all offers if it made none.
  package var found: [Offer]

  package init(
    _ kind: Kind, steps: ClosedRange<Int>, strand: UInt32? = nil, operation: OperationKind? = nil,
    found: [Offer] = []
  ) {
    self.kind = kind
    self.steps = steps
    self.strand = strand
    self.operation = operation
    self.found = found
  }

  /// Counts steps from 1, as people do.
  package var description: String {
    let first = steps.lowerBound + 1
    let place = steps.count == 1 ? "step \(first)" : "steps \(first) to \(steps.upperBound + 1)"
    let expected = Self.words(strand, operation.map { "\($0)" } ?? "to go on")
    let found = found.map { Self.words($0.strand, "\($0.operation)") }
    let others = found.isEmpty ? "nobody" : found.joined(separator: ", ")
    return switch kind {
    case .strandNotReady: "\(place): expected \(expected), which is not ready; ready: \(others)"
    case .otherOperation: "\(place): expected \(expected); there was \(others)"
    case .wentOn: "\(place): the schedule is at its end, and the program goes on: \(others)"
    case .endedEarly: "\(place): the program is at its end; expected \(expected)"
    }
  }

  private static func words(_ strand: UInt32?, _ operation: String) -> String {
    "strand \(strand.map { "\($0)" } ?? "?") \(operation)"
  }
}
