// The same in Swift: the top level is the program, and a global variable its state.
import Dispatch
import Foundation
import Synchronization

let words = CommandLine.arguments.dropFirst()
let isRepaired = words.last == "repaired"
let counter = Mutex(0)
let gate = Mutex(())

func value() -> Int { counter.withLock { $0 } }

func increment() {
  let now = value()
  counter.withLock { $0 = now + 1 }
}

switch words.first {
case "lost-update":
  let group = DispatchGroup()
  for _ in 0..<2 {
    DispatchQueue.global().async(group: group) {
      if isRepaired { gate.withLock { _ in increment() } } else { increment() }
    }
  }
  group.wait()
  precondition(value() == 2, "an update is lost: \(value())")
case "runs-main-queue":
  // The main queue's work comes when the main thread waits for it, and ends the program.
  DispatchQueue.global().async {
    if isRepaired {
      DispatchQueue.main.async { exit(value() == 1 ? 0 : 6) }
    } else {
      DispatchQueue.main.async { exit(value() == 1 ? 0 : 6) }
      increment()
    }
  }
  if isRepaired { increment() }
  dispatchMain()
default:
  print("there is no such program")
  exit(64)
}
