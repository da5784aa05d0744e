/// That one operation waits for another, and who said so.
package struct OperationDependency: Hashable, Sendable {
  package var from: LockID
  package var to: LockID
  /// Where the operation lies that waits.
  package var address: UInt64
  /// The gate's number of the stack that made it wait.
  package var place: UInt32
  package var thread: ThreadID
  package var tests: [String]

  package init(
    from: LockID, to: LockID, address: UInt64 = 0, place: UInt32 = 0, thread: ThreadID,
    tests: [String] = []
  ) {
    self.from = from
    self.to = to
    self.address = address
    self.place = place
    self.thread = thread
    self.tests = tests
  }
}
