/// What an object does when one call is made after the other.
package protocol SequentialModel {
  /// Everything that matters for later calls.
  associatedtype State: Hashable

  var initial: State { get }

  /// What a call may do in a state: usually one thing; nothing if the call would wait there for
  /// ever.
  ///
  /// - Returns: `nil` if that is not known yet.
  mutating func steps(of operation: Int, in state: State) -> [SequentialStep<State>]?
}

/// One thing that a call may do.
package struct SequentialStep<State> {
  package var answer: Int
  package var state: State

  package init(answer: Int, state: State) { (self.answer, self.state) = (answer, state) }
}
