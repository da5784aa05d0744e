import Foundation
import Ledger
import Testing

// No line in this target knows of Threadmill: the dependency in Package.swift is all there is.

/// One after the other: what meets on threads of a pool needs all of its threads.
@Suite(.serialized) struct LedgerTests {
  @Test func racyOnThreads() {
    let ledger = Ledger()
    together {
      ledger.addUnguarded(1)
    } _: {
      ledger.addUnguarded(2)
    }
  }

  @Test func racyOnWorkers() {
    let ledger = Ledger()
    together(on: .global()) {
      ledger.addUnguarded(1)
    } _: {
      ledger.addUnguarded(2)
    }
  }

  @Test func racyUnderTwoLocks() {
    let ledger = Ledger()
    together {
      ledger.addUnderWrongLock(1, NSLock())
    } _: {
      ledger.addUnderWrongLock(2, NSLock())
    }
  }

  @Test func racyInTasks() async {
    let ledger = Ledger()
    let turns = Turns()
    await withTaskGroup { group in
      group.addTask { turns.take { ledger.addUnguarded(1) } }
      group.addTask { turns.take { ledger.addUnguarded(2) } }
    }
  }

  @Test func racyInCodeUnderTest() { closeTheBooks() }

  @Test func racyInCodeUnderTestToo() { closeTheBooks() }

  @Test func racyFiveHundredTimes() {
    for _ in 0..<500 {
      let ledger = Ledger()
      together {
        ledger.addUnguarded(1)
      } _: {
        ledger.addUnguarded(2)
      }
    }
  }

  @Test func knownToBeRacy() {
    withKnownIssue {
      let ledger = Ledger()
      together {
        ledger.addUnguarded(1)
      } _: {
        ledger.addUnguarded(2)
      }
    }
  }

  @Test func correctUnderOneLock() {
    let ledger = Ledger()
    for _ in 0..<20 {
      together {
        ledger.addGuarded(1)
      } _: {
        ledger.addGuarded(2)
      }
    }
  }

  @Test func correctOnSerialQueue() {
    let ledger = Ledger()
    let queue = DispatchQueue(label: "ledger")
    for amount in 0..<100 { queue.async { ledger.addUnguarded(amount) } }
    queue.sync { ledger.addUnguarded(1) }
  }

  @Test func correctInTasks() async {
    let ledger = Ledger()
    await withTaskGroup { group in
      for amount in 0..<8 { group.addTask { ledger.addGuarded(amount) } }
    }
  }
}
