@preconcurrency import Foundation

/// Three parts that have nothing to do with each other, each stuck in a way of its own; beside them
/// whatever a program has that is idle by design.
@Sendable func threeCorners() {
  let idle = DispatchQueue.global()
  idle.async {}
  let timer = DispatchSource.makeTimerSource(queue: idle)
  timer.setEventHandler {}
  let bakery = Bakery()
  let office = Office()
  let ferry = Ferry()
  Thread.detachNewThread { bakery.sell() }
  office.open()
  Thread.detachNewThread { ferry.board() }
  Thread.detachNewThread { ferry.castOff() }
  withExtendedLifetime(timer) { dispatchMain() }
}

/// Nobody signals.
final class Bakery: Sendable {
  private let bread = DispatchSemaphore(value: 0)

  @inline(never) func sell() { bread.wait() }
}

/// A queue waits for a group whose work it has to do itself.
final class Office: Sendable {
  private let desk = DispatchQueue(label: "desk")

  func open() { desk.async { self.answerLetters() } }

  @inline(never) private func answerLetters() {
    let letters = DispatchGroup()
    desk.async(group: letters) {}
    letters.wait()
  }
}

/// One has the gangway and waits for the other's shout, the other waits for the gangway first.
final class Ferry: Sendable {
  private let gangway = NSLock()
  private let shout = NSCondition()
  private let isBoarded = DispatchSemaphore(value: 0)

  @inline(never) func board() {
    gangway.lock()
    isBoarded.signal()
    shout.lock()
    shout.wait()
  }

  @inline(never) func castOff() {
    isBoarded.wait()
    gangway.lock()
    shout.broadcast()
  }
}

/// More of a kind than anybody wants to read.
@Sendable func crowd() {
  let door = DispatchSemaphore(value: 0)
  for _ in 0..<20 { Thread.detachNewThread { queueUp(door) } }
  dispatchMain()
}

@inline(never) func queueUp(_ door: DispatchSemaphore) { door.wait() }

/// Stuck while it has the stream that everybody prints to.
@Sendable func printForEver() {
  print("order")
  Thread.detachNewThread {
    flockfile(printed)
    queueUp(DispatchSemaphore(value: 0))
  }
  dispatchMain()
}

/// Standard output as C has it; its lock protects it.
nonisolated(unsafe) private let printed: UnsafeMutablePointer<FILE> = stdout!
