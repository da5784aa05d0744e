// A whole program that was built with Thread Sanitizer, Threadmill and memory accesses as points:
// no call lies between the two accesses that belong together.
import Foundation
import Synchronization

let counter = Atomic(0)
let isRepaired = CommandLine.arguments.last == "repaired"

func increment() {
  if isRepaired {
    counter.add(1, ordering: .relaxed)
  } else {
    let now = counter.load(ordering: .relaxed)
    counter.store(now + 1, ordering: .relaxed)
  }
}

let done = DispatchGroup()
for _ in 0..<2 {
  done.enter()
  Thread.detachNewThread {
    increment()
    done.leave()
  }
}
done.wait()
let result = counter.load(ordering: .relaxed)
precondition(result == 2, "an update is lost: \(result)")
