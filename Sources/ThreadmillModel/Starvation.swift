/// A pool of threads at a moment at which all of them are blocked, none has moved for a while, and
/// there is work for one more.
package struct Starvation: Sendable {
  package enum Pool: Sendable {
    /// The pool of Swift's tasks, which gets no further thread.
    case cooperative
    /// The pool of libdispatch's queues, which gets one more thread each second, up to a limit.
    case dispatch
  }

  package var pool: Pool
  /// The name of the pool's queue.
  package var label: String?
  package var threads: [ThreadSnapshot]
  /// The number of threads that did not fit into `threads`.
  package var leftOut: Int
  /// How many jobs or blocks have not begun.
  package var waiting: Int

  package init(
    pool: Pool, label: String? = nil, threads: [ThreadSnapshot], leftOut: Int = 0, waiting: Int
  ) {
    self.pool = pool
    self.label = label
    self.threads = threads
    self.leftOut = leftOut
    self.waiting = waiting
  }
}
