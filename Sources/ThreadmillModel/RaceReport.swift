/// A data race, as Thread Sanitizer reports it.
package struct RaceReport: Sendable {
  package enum Kind: Sendable {
    /// Two accesses to the same memory.
    case memory
    /// Two accesses to the same Swift variable, which the compiler told of.
    case variable
    /// The second access is that of a `free`.
    case freed
    /// One access is to a C++ object's table of functions; `freed`: the other one is a `free`.
    case virtualTable(freed: Bool)
  }

  /// A strand that a thread ran, which the sanitizer tells from all others of that thread.
  package struct Strand: Sendable {
    package enum Kind: Sendable {
      case block
      /// Of `concurrentPerform`.
      case iteration
      /// `number` is `nil` where it is not known which of several tasks it is.
      case task(number: Int?)
    }

    package var kind: Kind
    /// The label of the queue that it was submitted to.
    package var queue: String?
    /// Where it was submitted, or its task was started; empty if that is not known.
    package var submitted: Backtrace

    package init(kind: Kind, queue: String? = nil, submitted: Backtrace = []) {
      self.kind = kind
      self.queue = queue
      self.submitted = submitted
    }
  }

  package struct Access: Sendable {
    package var thread: ThreadID
    /// `false` if the strand may have run on another thread.
    package var isThreadCertain: Bool
    /// `nil` for a thread's own code.
    package var strand: Strand?
    package var address: UInt64
    package var size: Int
    package var writes: Bool
    package var isAtomic: Bool
    package var stack: Backtrace
    /// The tests that it was made for, as far as that is known.
    package var tests: [String]

    package init(
      thread: ThreadID, isThreadCertain: Bool = true, strand: Strand? = nil, address: UInt64 = 0,
      size: Int = 8, writes: Bool, isAtomic: Bool = false, stack: Backtrace = [],
      tests: [String] = []
    ) {
      self.thread = thread
      self.isThreadCertain = isThreadCertain
      self.strand = strand
      self.address = address
      self.size = size
      self.writes = writes
      self.isAtomic = isAtomic
      self.stack = stack
      self.tests = tests
    }
  }

  /// A thread that takes part.
  package struct Thread: Sendable {
    package var id: ThreadID
    package var name: String?
    /// `nil` for the main thread, and where that is not known.
    package var creator: ThreadID?
    package var created: Backtrace

    package init(
      id: ThreadID, name: String? = nil, creator: ThreadID? = nil, created: Backtrace = []
    ) {
      self.id = id
      self.name = name
      self.creator = creator
      self.created = created
    }
  }

  /// What kind of memory it is about.
  package enum Memory: Sendable {
    case unknown
    case heap(start: UInt64, size: Int, by: ThreadID?, allocated: Backtrace)
    case global(name: String?)
    case stack(of: ThreadID?)
    case threadLocal(of: ThreadID?)
    case file(number: Int, by: ThreadID?, opened: Backtrace)
  }

  /// A lock that was held at one of the accesses.
  package struct Mutex: Sendable {
    package var address: UInt64
    /// `nil` if only the sanitizer knows it.
    package var object: SharedObject?
    /// Whether the thread of the first access holds it.
    package var isHeldNow: Bool
    /// Where the sanitizer saw it first.
    package var created: Backtrace

    package init(
      address: UInt64, object: SharedObject? = nil, isHeldNow: Bool = false,
      created: Backtrace = []
    ) {
      self.address = address
      self.object = object
      self.isHeldNow = isHeldNow
      self.created = created
    }
  }

  package var kind: Kind
  /// The access that completed the race, then the one before it.
  package var accesses: [Access]
  package var threads: [Thread]
  package var memory: Memory
  /// The locks that were held at any of the accesses.
  package var mutexes: [Mutex]
  /// The locks that the thread of the first access holds, with the places where it took them.
  package var held: [Hold]
  package var heldObjects: [SharedObject]
  /// The stack of that thread's sleep after the other access; empty if it did not sleep.
  package var slept: Backtrace
  /// The stack that submitted the block or job of that thread; empty for a thread's own code.
  package var submitted: Backtrace

  package init(
    kind: Kind = .memory, accesses: [Access], threads: [Thread] = [], memory: Memory = .unknown,
    mutexes: [Mutex] = [], held: [Hold] = [],
    heldObjects: [SharedObject] = [], slept: Backtrace = [], submitted: Backtrace = []
  ) {
    self.kind = kind
    self.accesses = accesses
    self.threads = threads
    self.memory = memory
    self.mutexes = mutexes
    self.held = held
    self.heldObjects = heldObjects
    self.slept = slept
    self.submitted = submitted
  }
}
