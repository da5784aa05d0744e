import ThreadmillModel

/// "To get `to`, one may have to wait while holding `from`."
package struct Edge: Hashable, Sendable {
  package var from: LockID
  package var to: LockID

  package init(from: LockID, to: LockID) { (self.from, self.to) = (from, to) }
}
