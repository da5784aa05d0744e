import Dispatch
import Foundation

/// One of each; every kind is taken a number of times of its own, by one thread.
struct Kinds {
  private let plain = NSLock()
  private let recursive = NSRecursiveLock()
  private let readWrite = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  private let spin = UnsafeMutablePointer<pthread_spinlock_t>.allocate(capacity: 1)
  private let serial = DispatchQueue(label: "serial")
  private let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
  private let semaphore = DispatchSemaphore(value: 1)

  init() {
    readWrite.initialize(to: pthread_rwlock_t())
    pthread_rwlock_init(readWrite, nil)
    spin.initialize(to: pthread_spinlock_t())
    pthread_spin_init(spin, 0)
  }

  func useAll() {
    takePlain()
    takeRecursive()
    for _ in 0..<4 {
      pthread_rwlock_rdlock(readWrite)
      pthread_rwlock_unlock(readWrite)
    }
    for _ in 0..<5 {
      pthread_rwlock_wrlock(readWrite)
      pthread_rwlock_unlock(readWrite)
    }
    for _ in 0..<6 {
      pthread_spin_lock(spin)
      pthread_spin_unlock(spin)
    }
    for _ in 0..<7 { serial.sync {} }
    serial.sync(execute: DispatchWorkItem {})
    for _ in 0..<9 { concurrent.sync {} }
    for _ in 0..<10 { concurrent.sync(flags: .barrier) {} }
    for _ in 0..<11 {
      semaphore.wait()
      semaphore.signal()
    }
  }

  /// Twice, once of it by trying; trying in vain does not count.
  private func takePlain() {
    plain.lock()
    if plain.try() { fatalError("taken twice") }
    plain.unlock()
    guard plain.try() else { fatalError("not free") }
    plain.unlock()
  }

  /// Three times; taking it again does not count.
  private func takeRecursive() {
    for _ in 0..<3 {
      recursive.lock()
      recursive.lock()
      recursive.unlock()
      recursive.unlock()
    }
  }
}
