import Dispatch
import Foundation

/// Correct programs in which Swift concurrency is all that orders the accesses.
///
/// No `AsyncStream`: Thread Sanitizer alone sees a race in one now and then, when a value comes
/// before the task has gone to wait for it, so that two runs need not say the same.
let taskHandOvers: [Program] = [
  .correctTasks("task-value") {
    let cell = Cell()
    cell.store(1)
    await Task.detached { cell.store(2) }.value
    cell.store(3)
  },

  .correctTasks("task-group") {
    let cells = (0..<16).map { _ in Cell() }
    await withTaskGroup(of: Void.self) { group in
      for cell in cells { group.addTask { cell.store(1) } }
    }
    for cell in cells { cell.store(2) }
  },

  .correctTasks("actor") {
    let owner = Owner()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<16 { group.addTask { await owner.store(index) } }
    }
    await owner.store(16)
  },
]

private actor Owner {
  private let cell = Cell()
  func store(_ value: Int) { cell.store(value) }
}
