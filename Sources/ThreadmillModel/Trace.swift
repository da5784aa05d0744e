/// What the threads of a run did, and when, one recording for each process.
package struct Trace: Hashable, Sendable {
  /// Something that a thread did.
  package struct Event: Hashable, Sendable {
    package enum What: String, Sendable, CaseIterable {
      /// A lock, from having it to letting it go.
      case hold
      /// For a lock that somebody else had.
      case wait
      /// A block on a queue, or a job of the Swift runtime.
      case block, job
      /// Of a block or job; without length.
      case submission
      /// Something was found; without length.
      case finding
    }

    package var what: What
    package var thread: ThreadID
    /// Nanoseconds of a clock that all processes of a machine share.
    package var at: UInt64
    package var lasted: UInt64
    /// It had not ended when the recording did.
    package var isOpen: Bool
    /// A place in the recording's locks; of a hold and a wait.
    package var lock: Int?
    /// A queue's own name, a finding's title.
    package var label: String?
    /// What a submission has in common with what runs of it; unique in its process.
    package var flow: UInt64?
    /// A place in the recording's places: where a block was submitted.
    package var place: Int?

    package init(
      _ what: What, _ thread: ThreadID, at: UInt64, lasted: UInt64 = 0, isOpen: Bool = false,
      lock: Int? = nil, label: String? = nil, flow: UInt64? = nil, place: Int? = nil
    ) {
      self.what = what
      self.thread = thread
      self.at = at
      self.lasted = lasted
      self.isOpen = isOpen
      self.lock = lock
      self.label = label
      self.flow = flow
      self.place = place
    }
  }

  package struct Thread: Hashable, Sendable {
    package var thread: ThreadID
    package var name: String

    package init(_ thread: ThreadID, name: String) {
      self.thread = thread
      self.name = name
    }
  }

  /// What one process recorded.
  package struct Recording: Hashable, Sendable {
    package var process: Int
    /// Those with a name of their own that were there at the end.
    package var threads: [Thread]
    package var locks: [LockGraph.LockClass]
    package var places: [Backtrace]
    /// By their beginning.
    package var events: [Event]

    package init(
      process: Int, threads: [Thread], locks: [LockGraph.LockClass], places: [Backtrace],
      events: [Event]
    ) {
      self.process = process
      self.threads = threads
      self.locks = locks
      self.places = places
      self.events = events
    }
  }

  /// In the order in which they began.
  package private(set) var recordings: [Recording]

  package init(_ recordings: [Recording]) {
    self.recordings = recordings.sorted { a, b in
      (a.events.first?.at ?? 0, a.process) < (b.events.first?.at ?? 0, b.process)
    }
  }

  /// The recordings of both.
  package func merged(with other: Trace) -> Trace { Trace(recordings + other.recordings) }
}
