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

    /// The innermost frames only; 0 where unknown.
    init(_ site: (UInt, UInt, UInt, UInt)) {
      self.init([site.0, site.1, site.2, site.3].lazy.filter { $0 != 0 })
    }
  }

  extension tm_object_view {
    var lock: LockID { LockID(id) }

    var holdMode: HoldMode { mode == TM_SHARED ? .shared : .exclusive }

    var hold: Hold { hold(at: Backtrace(site)) }

    func hold(at site: Backtrace) -> Hold { Hold(lock: lock, mode: holdMode, site: site) }

    var sharedObject: SharedObject {
      SharedObject(
        id: lock, kind: SharedObject.Kind(kind), label: label.map { String(cString: $0) },
        address: address, created: Backtrace(created, count: created_count))
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

    /// Everything that it names.
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

    /// What the thread is called; `nil` when it was given no name of its own.
    var systemName: String? { Self.systemName(name) }

    /// The same for a name as the system keeps it, in 16 bytes.
    static func systemName<Bytes>(_ name: Bytes) -> String? {
      withUnsafeBytes(of: name) { bytes in
        let text = bytes.prefix { $0 != 0 }
        // Byte by byte: a string is searched through unspecialised code, and this is asked often.
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

    /// Where the block or job that it runs was submitted.
    var submission: Backtrace { Backtrace(submitted) }

    /// What was submitted there, and where it runs.
    private var execution: Execution? {
      guard var execution = runs?.pointee.value else { return nil }
      execution.actor = execution.job == nil ? nil : holds.last { $0.kind == TM_ACTOR }?.lock
      return execution
    }

    /// What it holds, outermost first.
    ///
    /// The place where one was taken comes from frame pointers, which skip callers of code without
    /// them; if the thread is still inside that call, its stack, which is whole, tells better.
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
    /// Where the innermost frames of a site lie, the outermost such place; a few frames may be
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
