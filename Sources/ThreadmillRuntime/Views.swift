#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel

  // The gate's views, turned into the model's values. A view is valid during the up-call only;
  // everything here copies.

  extension Backtrace {
    fileprivate init(_ addresses: some Collection<UInt>) {
      self = addresses.map { Frame(address: UInt64($0)) }
    }

    init(_ addresses: UnsafePointer<UInt>?, count: UInt32) {
      self.init(UnsafeBufferPointer(start: addresses, count: Int(count)))
    }

    /// Makes a stack of the innermost frames of a site. An address of 0 is unknown and left out.
    init(_ site: (UInt, UInt, UInt, UInt)) {
      self.init([site.0, site.1, site.2, site.3].lazy.filter { $0 != 0 })
    }
  }

  extension tm_object_view {
    var lock: LockID { LockID(id) }

    var holdMode: HoldMode { mode == TM_SHARED ? .shared : .exclusive }

    var hold: Hold { hold(at: Backtrace(site)) }

    func hold(at site: Backtrace) -> Hold {
      Hold(lock: lock, mode: holdMode, site: site, isMainQueue: main_queue)
    }

    var sharedObject: SharedObject {
      var object = pastObject
      object.label = name
      return object
    }

    /// An object whose memory may be gone, and is not looked at.
    var pastObject: SharedObject {
      SharedObject(
        id: lock, kind: SharedObject.Kind(kind), label: label.map { String(cString: $0) },
        address: address, created: Backtrace(created, count: created_count))
    }

    /// No call creates a `Mutex`: its property tells which one it is.
    private var name: String? {
      kind == TM_SWIFT_MUTEX
        ? SwiftObject.property(at: UInt(address)) : label.map { String(cString: $0) }
    }
  }

  extension SharedObject.Kind {
    init(_ kind: tm_kind) {
      switch kind {
      case TM_MUTEX: self = .mutex
      case TM_RECURSIVE_MUTEX: self = .recursiveMutex
      case TM_RWLOCK: self = .readWriteLock
      case TM_SPIN: self = .spinLock
      case TM_SEMAPHORE: self = .semaphore
      case TM_CONDITION: self = .condition
      case TM_GROUP: self = .group
      case TM_SERIAL_QUEUE: self = .serialQueue
      case TM_CONCURRENT_QUEUE: self = .concurrentQueue
      case TM_TASK_STATUS_LOCK: self = .taskStatusLock
      case TM_SWIFT_MUTEX: self = .synchronizationMutex
      case TM_ONCE: self = .once
      case TM_ACTOR: self = .actor
      case TM_OPERATION: self = .operation
      case TM_CONTINUATION: self = .continuation
      case TM_TASK: self = .task
      case TM_SOURCE: self = .source
      case TM_WORK_ITEM: self = .workItem
      case TM_CONFINED: self = .confined
      default: self = .thread
      }
    }
  }

  extension tm_runs_view {
    var queueViews: [tm_object_view] {
      withUnsafeBytes(of: queues) {
        Array($0.bindMemory(to: tm_object_view.self).prefix(Int(queue_count)))
      }
    }

    /// All objects that the view names.
    var objectViews: [tm_object_view] { queueViews + (group.id == 0 ? [] : [group]) }

    fileprivate var value: Execution {
      let job =
        job
        ? Execution.Job(
          task: task == 0 ? nil : task, priority: Quality(rawValue: priority)) : nil
      return Execution(
        queues: queueViews.map { queue in
          Execution.Queue(
            id: queue.lock, kind: SharedObject.Kind(queue.kind),
            label: queue.label.map { String(cString: $0) })
        }, root: Quality(rawValue: root), isPooled: pooled,
        group: group.id == 0 ? nil : LockID(group.id), job: job)
    }
  }

  extension tm_thread_view {
    var holds: UnsafeBufferPointer<tm_object_view> {
      UnsafeBufferPointer(start: held, count: Int(held_count))
    }

    /// The thread's name; `nil` if it has none of its own.
    var systemName: String? { Self.systemName(name) }

    /// Returns the thread's name from the 16 bytes in which the system keeps it; `nil` if it is
    /// empty.
    static func systemName<Bytes>(_ name: Bytes) -> String? {
      withUnsafeBytes(of: name) { bytes in
        let text = bytes.prefix { $0 != 0 }
        // Compares bytes: a search in a string runs unspecialised code, and this is called often.
        let isWorker = text.indices.contains { text[$0...].starts(with: "-qos".utf8) }
        if isWorker { return "libdispatch worker" }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
      }
    }

    var moment: Moment {
      let known = UnsafeBufferPointer(start: knowledge, count: Int(knowledge_count))
      return Moment(strand: StrandID(strand), slot: Int(slot), time: time, knowledge: Array(known))
    }

    var backtrace: Backtrace { Backtrace(stack, count: stack_count) }

    /// The place where the thread's block or job was submitted.
    var submission: Backtrace { Backtrace(submitted) }

    /// The block or job that the thread runs, and the queues or the actor on which it runs.
    private var execution: Execution? {
      guard var execution = runs?.pointee.value else { return nil }
      execution.actor = execution.job == nil ? nil : holds.last { $0.kind == TM_ACTOR }?.lock
      return execution
    }

    /// The objects that the thread holds, outermost first.
    ///
    /// The place where an object was taken comes from frame pointers, which skip callers of code
    /// without them. If the thread is still inside that call, the place comes from the thread's
    /// stack instead, which is complete.
    private var heldWithPlaces: [Hold] {
      let whole = UnsafeBufferPointer(start: stack, count: Int(stack_count))
      var unclaimed = whole[...]
      return holds.map { view in
        guard let place = unclaimed.lastPlace(of: view.site.0, calledFrom: view.site.1) else {
          return view.hold
        }
        unclaimed = whole[...place]
        return view.hold(at: Backtrace(whole[place...].prefix(Int(TM_SITE) + 2)))
      }
    }

    func nestedAcquisition(tests: [String]) -> NestedAcquisition {
      NestedAcquisition(
        thread: ThreadID(thread), threadName: systemName, moment: moment, held: heldWithPlaces,
        wanted: wanted.hold, stack: backtrace, tests: tests, submitted: submission,
        runs: execution)
    }

    func snapshot(tests: [String]) -> ThreadSnapshot {
      let joins = wanted.kind == TM_THREAD && wanted.id != 0
      return ThreadSnapshot(
        thread: ThreadID(thread), name: systemName, held: heldWithPlaces,
        waitsFor: wanted.id == 0 || joins ? nil : wanted.hold,
        joins: joins ? ThreadID(UInt32(wanted.id)) : nil, stack: backtrace, tests: tests,
        quality: Quality(rawValue: quality),
        submitted: submission, runs: execution)
    }
  }

  extension Slice<UnsafeBufferPointer<UInt>> {
    /// Returns the outermost index at which the innermost frames of a site lie; a few frames may be
    /// missing in the site.
    fileprivate func lastPlace(of first: UInt, calledFrom next: UInt) -> Index? {
      guard first != 0 else { return nil }
      return indices.last { index in
        self[index] == first
          && (next == 0 || self[index...].dropFirst().prefix(6).contains(next))
      }
    }
  }
#endif
