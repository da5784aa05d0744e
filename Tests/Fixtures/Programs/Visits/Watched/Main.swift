import CThreadmillGate
import CThreadmillVisits
import CUnwind
import Dispatch
import Foundation
import Synchronization
import Threadmill

// Has the gate and the harness go through the loaded images, and prints what was called meanwhile.
// With the word "locations", compares what the gate finds at addresses with what dladdr finds.
// With the path of a library, does what the gate has to name functions for, while a constructor of
// that library waits.

@main struct Main {
  /// The code of this mutex is replaced at the start.
  static let places = Mutex(0)

  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "locations": return visits_locate()
    case let library?: return load(library)
    case nil: break
    }
    visits_tell("start")
    places.withLock { $0 += 1 }
    findImages()
    visits_tell("images")
    namePlace()
    walkTheStack()
    visits_tell("place and stack")
    visits_misbehave()
    visits_tell("misbehaviour")
    makeFindings()
  }

  static func load(_ library: String) {
    let isLoaded = visits_while_loading(library) {
      let (queue, lock, operations) = (DispatchQueue(label: "body"), NSLock(), OperationQueue())
      queue.async { lock.withLock {} }
      queue.sync { lock.withLock {} }
      operations.addOperation {}
      operations.waitUntilAllOperationsAreFinished()
      Thread.detachNewThread {}
    }
    print(isLoaded ? "loaded" : "not loaded")
  }

  static func findImages() {
    var images = [tm_image](repeating: tm_image(), count: 64)
    precondition(tm_images(&images, 64) > 3 && tm_place_at("", 1) > 1)
  }

  static func namePlace() {
    var (image, offset) = (UnsafePointer<CChar>?.none, UInt64(0))
    let known = Thread.callStackReturnAddresses[0].uintValue
    precondition(tm_place_named(known, &image, &offset) && offset > 0)
  }

  static func walkTheStack() {
    var addresses = [UInt](repeating: 0, count: 64)
    precondition(tm_unwind_prepare(tm_image_visit, tm_function_replace) == TM_UNWIND_READY)
    precondition(tm_unwind_here(&addresses, nil, 64) > 2)
  }

  /// A work item and a thread take two locks in opposite orders: the stacks are named at the end of
  /// the process. The main thread orders neither.
  static func makeFindings() {
    let (till, stock) = (NSLock(), NSLock())
    let done = Atomic(0)
    DispatchQueue(label: "counter").async {
      till.withLock { stock.withLock {} }
      done.add(1, ordering: .relaxed)
    }
    while done.load(ordering: .relaxed) < 1 { sched_yield() }
    Thread.detachNewThread {
      stock.withLock { till.withLock {} }
      done.add(1, ordering: .relaxed)
    }
    while done.load(ordering: .relaxed) < 2 { sched_yield() }
  }
}
