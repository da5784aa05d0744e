import Dispatch
import Foundation

extension Scenario {
  /// A tool imports photos on a queue, and writes at its exit how many there were.
  ///
  /// **What people write.** The import runs on a queue, and counts. An exit handler writes the
  /// number into the protocol, so that it is written however the program ends. `main` has nothing
  /// more to do, and returns.
  ///
  /// **Why it breaks.** Returning from `main` waits for nobody. The exit handlers run beside the
  /// threads that are still at work, and those are cut off wherever they are.
  ///
  /// **How it shows.** The protocol has too few photos, and the last one is half a file, the slower
  /// the disk, the more often. Or a crash "after the end", in a destructor.
  ///
  /// **Repair.** Wait for the group before `main` returns.
  static let exitBeforeJoin = Scenario(
    id: "exit-before-join", fault: .dataRaces,
    summary: "The program ends while a worker writes what an exit handler reads.",
    expectations: [
      .flawed: .init(
        .ends, observe: .missed, tsan: .finds("dataRace"), explore: .finds("dataRace")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let photos = PhotoImport()
      let copied = Sighting()
      photos.atExit { count in print("\(count) photos") }
      photos.start { copied.show() }
      copied.wait()
    },
    harmful: {
      let photos = PhotoImport()
      let copied = Sighting()
      let reported = Sighting()
      photos.atExit { count in
        demand(count, equals: 2)
        reported.show()
      }
      photos.start {
        copied.show()
        reported.wait()
      }
      copied.wait()
    },
    repaired: {
      let photos = PhotoImport()
      let copied = Sighting()
      let reported = Sighting()
      photos.atExit { count in
        demand(count, equals: 2)
        reported.show()
      }
      photos.start {
        copied.show()
        reported.wait(limit: 0.1)
      }
      copied.wait()
      photos.join()
    })
}

private final class PhotoImport: @unchecked Sendable {
  // Written by the import; read at the exit, as if the import had ended by then.
  private var count = 0
  // Set before the import starts.
  private var report: (_ count: Int) -> Void = { _ in }
  private let disk = DispatchQueue(label: "disk")
  private let group = DispatchGroup()

  /// Has `report` called at the exit of the process.
  func atExit(report: @escaping (_ count: Int) -> Void) {
    self.report = report
    atTheEnd { self.report(self.count) }
  }

  /// Imports two photos; `meanwhile` is called between them.
  func start(meanwhile: @escaping @Sendable () -> Void) {
    disk.async(group: group) {
      self.count += 1
      meanwhile()
      self.count += 1
    }
  }

  func join() { group.wait() }
}
