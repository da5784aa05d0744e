import Foundation

extension Scenario {
  /// Importers wait with a semaphore for a schema that one more task has to load.
  ///
  /// **What people write.** Old code that waits with a semaphore is called from tasks, one for each
  /// file. The schema comes from a task that somebody starts a little later.
  ///
  /// **Why it breaks.** There are as many threads for tasks as the machine has cores. A task that
  /// blocks keeps its thread. With more importers than threads, the task that signals never begins.
  ///
  /// **How it shows.** It works on the developer's machine. On a small runner it stands still, with
  /// no error and at 0 % CPU.
  ///
  /// **Repair.** Await the schema as the value of its task, and block nothing.
  static let starvedPool = Scenario(
    id: "starved-pool", fault: .deadlocks,
    summary: "More tasks block on a semaphore than there are threads, and the signal needs one.",
    expectations: [
      .flawed: .init(
        .hangs, observe: .finds("poolStarvation", allowing: "hang"),
        explore: .finds("hang", allowing: "poolStarvation"), options: "pool=2"),
      .repaired: .init(.ends, observe: .silent, options: "pool=2"),
    ],
    flawed: {
      let importer = Importer()
      for _ in 0..<importer.files {
        importer.imports.enter()
        Task.detached {
          importer.importBlocking()
          importer.imports.leave()
        }
      }
      Task.detached { importer.loadSchema() }
      importer.imports.wait()
    },
    repaired: {
      let importer = Importer()
      let schema = Task.detached { importer.loadSchema() }
      for _ in 0..<importer.files {
        importer.imports.enter()
        Task.detached {
          await schema.value
          importer.imports.leave()
        }
      }
      importer.imports.wait()
    })
}

private final class Importer: Sendable {
  let files = 2 * ProcessInfo.processInfo.activeProcessorCount
  let imports = DispatchGroup()
  private let schemaIsThere = DispatchSemaphore(value: 0)

  func importBlocking() { schemaIsThere.wait() }

  func loadSchema() {
    for _ in 0..<files { schemaIsThere.signal() }
  }
}
