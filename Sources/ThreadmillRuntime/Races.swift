#if os(Linux)
  import CThreadmillGate
  import Glibc
  import ThreadmillModel

  extension tm_race {
    var heldViews: [tm_object_view] {
      withUnsafeBytes(of: held) {
        Array($0.bindMemory(to: tm_object_view.self).prefix(Int(held_count)))
      }
    }

    private var mutexViews: [tm_race_mutex] {
      withUnsafeBytes(of: mutexes) {
        Array($0.bindMemory(to: tm_race_mutex.self).prefix(Int(mutex_count)))
      }
    }

    /// Everything that it names and the gate knows.
    var objectViews: [tm_object_view] {
      heldViews + mutexViews.map(\.object).filter { $0.id != 0 }
    }

    /// - Parameter tests: those of a scope.
    func value(tests: (UInt32) -> [String]) -> RaceReport {
      let accesses = withUnsafeBytes(of: accesses) {
        Array($0.bindMemory(to: tm_race_access.self).prefix(Int(access_count)))
      }
      let threads = withUnsafeBytes(of: threads) {
        Array($0.bindMemory(to: tm_race_thread.self).prefix(Int(thread_count)))
      }
      return RaceReport(
        kind: kind, accesses: accesses.map { $0.value(tests: tests($0.scope)) },
        threads: threads.map(\.value), memory: place, mutexes: mutexViews.map(\.value),
        held: heldViews.map(\.hold), heldObjects: heldViews.map(\.sharedObject),
        slept: Backtrace(slept), submitted: Backtrace(submitted))
    }

    /// By the words of TSan's interface for debuggers.
    private var kind: RaceReport.Kind {
      switch description.map({ String(cString: $0) }) {
      case "external-race": .variable
      case "data-race-vptr": .virtualTable(freed: false)
      case "heap-use-after-free-vptr": .virtualTable(freed: true)
      case "heap-use-after-free": .freed
      default: .memory
      }
    }

    private var place: RaceReport.Memory {
      let thread = memory_thread == 0 ? nil : ThreadID(memory_thread)
      switch memory {
      case TM_MEMORY_HEAP:
        return .heap(
          start: memory_start, size: Int(memory_size), by: thread, allocated: Backtrace(allocated))
      case TM_MEMORY_GLOBAL: return .global(name: globalName)
      case TM_MEMORY_STACK: return .stack(of: thread)
      case TM_MEMORY_THREAD_LOCAL: return .threadLocal(of: thread)
      case TM_MEMORY_FILE:
        return .file(number: Int(file), by: thread, opened: Backtrace(allocated))
      default: return .unknown
      }
    }

    private var globalName: String? {
      let name = withUnsafeBytes(of: memory_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.isEmpty else { return nil }
      return tm_demangle(name).map { text in
        defer { free(text) }
        return String(cString: text)
      } ?? name
    }
  }

  extension tm_race_access {
    fileprivate func value(tests: [String]) -> RaceReport.Access {
      RaceReport.Access(
        thread: ThreadID(thread), isThreadCertain: certain, strand: strand, address: address,
        size: Int(size), writes: writes, isAtomic: atomic, stack: Backtrace(stack), tests: tests)
    }

    private var strand: RaceReport.Strand? {
      let kind: RaceReport.Strand.Kind
      switch work {
      case TM_RACE_BLOCK: kind = .block
      case TM_RACE_ITERATION: kind = .iteration
      case TM_RACE_JOB: kind = .task(number: task == 0 ? nil : Int(task))
      default: return nil
      }
      return RaceReport.Strand(
        kind: kind, queue: label.map { String(cString: $0) }, submitted: Backtrace(submitted))
    }
  }

  extension tm_race_thread {
    fileprivate var value: RaceReport.Thread {
      RaceReport.Thread(
        id: ThreadID(thread), name: is_main ? "main" : tm_thread_view.systemName(name),
        creator: creator == 0 ? nil : ThreadID(creator), created: Backtrace(created))
    }
  }

  extension tm_race_mutex {
    fileprivate var value: RaceReport.Mutex {
      RaceReport.Mutex(
        address: address, object: object.id == 0 ? nil : object.sharedObject, isHeldNow: held_now,
        created: Backtrace(created))
    }
  }

  extension Backtrace {
    fileprivate init(_ view: tm_stack_view) { self.init(view.addresses, count: view.count) }
  }
#endif
