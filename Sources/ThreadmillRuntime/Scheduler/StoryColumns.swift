#if os(Linux)
  import ThreadmillModel

  /// The columns of a table: one for each thread, each block, and each task with all of its jobs.
  struct StoryColumns {
    private enum Owner: Hashable {
      case task(UInt32)
      case flow(UInt32)
    }

    private(set) var names: [String] = []
    private let first: String
    private var owners: [Owner: Int] = [:]
    private var columns: [UInt32: Int] = [:]
    private var origins: [UInt32: Backtrace] = [:]
    private var counts: [String: Int] = [:]
    private var unnamed: Set<Int> = []

    init(first: String) { self.first = first }

    func isNew(_ flow: UInt32) -> Bool { origins[flow] == nil }
    func hasColumn(_ flow: UInt32) -> Bool { columns[flow] != nil }
    mutating func started(_ flow: UInt32, at origin: Backtrace) { origins[flow] = origin }
    func origin(of flow: UInt32) -> Backtrace { origins[flow] ?? [] }
    func column(of flow: UInt32) -> Int? { columns[flow] }
    func name(of flow: UInt32) -> String? { columns[flow].map { names[$0] } }

    /// The task's name: that of its column if it has one.
    func name(ofTask task: UInt32) -> String {
      owners[.task(task)].map { names[$0] } ?? "task #\(task)"
    }

    mutating func column(of view: FlowView) -> Int {
      if let known = columns[view.number] {
        rename(known, view.sort)
        return known
      }
      var owner = Owner.flow(view.number)
      if case .job(let task?) = view.sort { owner = .task(task) }
      let column = owners[owner] ?? names.count
      if column == names.count {
        names.append(name(view.sort))
        if view.sort == .thread(name: nil) { unnamed.insert(column) }
      }
      owners[owner] = column
      columns[view.number] = column
      return column
    }

    /// A thread gets its name after it has begun, by its own code.
    private mutating func rename(_ column: Int, _ sort: FlowView.Sort) {
      guard case .thread(let name?) = sort, unnamed.remove(column) != nil else { return }
      names[column] = numbered("thread \"\(name)\"", isAlone: true)
    }

    private mutating func name(_ sort: FlowView.Sort) -> String {
      if names.isEmpty { return first }
      return switch sort {
      case .thread(let name?): numbered("thread \"\(name)\"", isAlone: true)
      case .thread: numbered("thread")
      case .block(let label?): numbered("block on \"\(label)\"", isAlone: true)
      case .block: numbered("block")
      case .job(task: .some): numbered("task")
      // The runtime's own, which runs whoever waits for the actor.
      case .job: numbered("actor job")
      }
    }

    private mutating func numbered(_ name: String, isAlone: Bool = false) -> String {
      counts[name, default: 0] += 1
      let number = counts[name] ?? 1
      return isAlone && number == 1 ? name : "\(name) \(number)"
    }
  }
#endif
