#if os(Linux)
  import CThreadmillGate
  import Glibc
  import ThreadmillModel

  extension Session {
    /// Beyond so many findings, their moments are left out.
    private static let mostMoments = 1_000

    func noteMoment(of finding: Finding) {
      guard moments.count < Self.mostMoments, let thread = finding.participants.first?.thread else {
        return
      }
      moments.append(
        Trace.Event(.finding, thread, at: tm_trace_now(), label: finding.title))
    }

    /// What was recorded so far, with symbols; `nil` if nobody asked for it. Called inside
    /// `Gate.delivering`.
    package static var trace: Trace? {
      guard let session = current, session.records else { return nil }
      tm_runtime_lock()
      let moments = session.moments
      tm_runtime_unlock()
      var recorder = Recorder()
      withUnsafeMutablePointer(to: &recorder) { recorder in
        tm_profile_each({ Recorder.at($1)?.pointee.add($0) }, recorder)
        tm_trace_each({ Recorder.at($1)?.pointee.add($0) }, recorder)
        tm_threads_each({ Recorder.at($1)?.pointee.add($0) }, recorder)
      }
      let recording = recorder.recording(with: moments)
      return Trace([session.symbolicator?.symbolicated(recording) ?? recording])
    }
  }

  /// Gathers what the gate tells of its recording.
  private struct Recorder {
    private var locks: [LockGraph.LockClass] = []
    /// By the number that the gate has for them.
    private var lockNumbers: [UInt32: Int] = [:]
    private var places: [Backtrace] = []
    private var placeNumbers: [[UInt64]: Int] = [:]
    private var threads: [Trace.Thread] = []
    private var events: [Trace.Event] = []

    static func at(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Recorder>? {
      pointer?.assumingMemoryBound(to: Recorder.self)
    }

    mutating func add(_ profile: UnsafePointer<tm_lock_profile>?) {
      guard let profile = profile?.pointee else { return }
      lockNumbers[profile.number] = locks.count
      locks.append(
        LockGraph.LockClass(
          kind: SharedObject.Kind(profile.kind), label: profile.label.map { String(cString: $0) },
          place: Backtrace(profile.place.addresses, count: profile.place.count),
          isFirstUse: profile.is_first_use))
    }

    mutating func add(_ view: UnsafePointer<tm_thread_view>?) {
      guard let view = view?.pointee, let name = view.systemName else { return }
      threads.append(Trace.Thread(ThreadID(view.thread), name: name))
    }

    mutating func add(_ traced: UnsafePointer<tm_traced>?) {
      guard let traced = traced?.pointee else { return }
      let stack = Backtrace(traced.place.addresses, count: traced.place.count)
      let isLocks = traced.kind == TM_TRACED_HOLD || traced.kind == TM_TRACED_WAIT
      events.append(
        Trace.Event(
          Trace.Event.What(traced.kind), ThreadID(traced.thread), at: traced.began,
          lasted: traced.ended - min(traced.began, traced.ended), isOpen: traced.open,
          lock: isLocks ? lockNumbers[traced.lock_class] : nil,
          label: traced.label.map { String(cString: $0) },
          flow: traced.flow == 0 ? nil : traced.flow,
          place: stack.isEmpty ? nil : number(of: stack)))
    }

    private mutating func number(of stack: Backtrace) -> Int {
      let addresses = stack.map(\.address)
      if let number = placeNumbers[addresses] { return number }
      placeNumbers[addresses] = places.count
      places.append(stack)
      return places.count - 1
    }

    func recording(with moments: [Trace.Event]) -> Trace.Recording {
      Trace.Recording(
        process: Int(getpid()), threads: threads.sorted { $0.thread < $1.thread }, locks: locks,
        places: places, events: (events + moments).sorted { $0.at < $1.at })
    }
  }

  extension Trace.Event.What {
    fileprivate init(_ kind: tm_traced_kind) {
      self =
        switch kind {
        case TM_TRACED_HOLD: .hold
        case TM_TRACED_WAIT: .wait
        case TM_TRACED_BLOCK: .block
        case TM_TRACED_JOB: .job
        default: .submission
        }
    }
  }
#endif
