/// A pool of threads at a moment at which all of them are blocked, none has moved for a while, and
/// there is work for one more.
package struct Starvation: Sendable {
  package enum Pool: Sendable {
    /// Of Swift's tasks: never more threads than it has.
    case cooperative
    /// Of libdispatch's queues: one more each second, up to a limit.
    case dispatch
  }

  package var pool: Pool
  /// The name of the pool's queue.
  package var label: String?
  package var threads: [ThreadSnapshot]
  /// Threads that there was no room for.
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
