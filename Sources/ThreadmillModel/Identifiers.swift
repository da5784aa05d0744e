/// One thread of the operating system, numbered in the order in which the gate first saw it.
package struct ThreadID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
  package var description: String { "T\(rawValue)" }
  package static func < (a: ThreadID, b: ThreadID) -> Bool { a.rawValue < b.rawValue }
}

/// One flow of control that is ordered in itself: a thread's own code, one asynchronous block, one
/// iteration of an apply.
///
/// Two blocks that happen to run on one worker thread, one after the other, are two strands:
/// another run may well give them two threads.
package struct StrandID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let rawValue: UInt64
  package init(_ rawValue: UInt64) { self.rawValue = rawValue }
  package var description: String { "S\(rawValue)" }
  package static func < (a: StrandID, b: StrandID) -> Bool { a.rawValue < b.rawValue }
}

/// One instance of something that can be held: a lock, a serial queue, a binary semaphore.
///
/// Identifiers are never reused, addresses are: a lock that is created where a dead one lay is
/// another lock.
package struct LockID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let rawValue: UInt64
  package init(_ rawValue: UInt64) { self.rawValue = rawValue }
  package var description: String { "L\(rawValue)" }
  package static func < (a: LockID, b: LockID) -> Bool { a.rawValue < b.rawValue }
}
