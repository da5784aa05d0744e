#if os(Linux)
  import Glibc
  import ThreadmillModel

  /// Where this process keeps the steps of the schedule that it runs.
  package enum ScheduleFile {
    /// The environment variable that names a file for whoever started this process, and reads it
    /// once the process has died.
    private static let variable = "THREADMILL_SCHEDULE"

    /// Set while the process has one thread; only read after that.
    nonisolated(unsafe) private static var file: Int32 = -1
    /// Whoever explores writes to it, one at a time; it is read when the process dies.
    nonisolated(unsafe) private static let trail = map()
    /// Asking for the trail makes it.
    nonisolated(unsafe) private static var isUsed = false

    /// Takes the request out of the environment, so that no child of a test answers it.
    package static func adopt() {
      guard let path = getenv(variable) else { return }
      file = open(path, O_RDWR | O_CLOEXEC)
      unsetenv(variable)
    }

    /// For whoever explores; `nil` where there is no memory for it.
    static func begin() -> ScheduleTrail? {
      isUsed = true
      return trail
    }

    /// The schedule in the midst of which this process is.
    package static var schedule: Schedule? { isUsed ? trail?.schedule : nil }

    /// Forgets the steps that copies of this process have left there.
    package static func clear() { if isUsed { trail?.clear() } }

    /// Of the file where one was named, else memory of the process's own: what it does not use
    /// costs nothing.
    private static func map() -> ScheduleTrail? {
      let size = ScheduleTrail.size
      let isFile = file >= 0 && ftruncate(file, off_t(size)) == 0
      let flags = isFile ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, flags, isFile ? file : -1, 0)
      guard let memory, memory != MAP_FAILED else { return nil }
      return ScheduleTrail(in: memory)
    }
  }
#endif
