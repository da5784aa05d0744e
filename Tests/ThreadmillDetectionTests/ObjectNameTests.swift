import Testing
import ThreadmillDetection
import ThreadmillModel

@Suite struct ObjectNameTests {
  @Test(arguments: [
    (SharedObject.Kind.mutex, "mutex L3"), (.recursiveMutex, "recursive mutex L3"),
    (.readWriteLock, "read-write lock L3"), (.spinLock, "spin lock L3"),
    (.semaphore, "semaphore L3"), (.condition, "condition L3"), (.group, "group L3"),
    (.serialQueue, "serial queue L3"), (.concurrentQueue, "concurrent queue L3"),
    (.thread, "thread L3"), (.taskStatusLock, "the Swift runtime's task status lock"),
    (.synchronizationMutex, "Synchronization.Mutex L3"),
  ])
  func withoutALabel(kind: SharedObject.Kind, name: String) {
    #expect(SharedObject(id: LockID(3), kind: kind).displayName == name)
    #expect(SharedObject(id: LockID(3), kind: kind, label: "").displayName == name)
  }

  @Test func aLabelSaysMoreThanANumber() {
    #expect(SharedObject.queue(3, "bank").displayName == #"serial queue "bank""#)
  }

  @Test func barriersOfAConcurrentQueue() {
    let queue = SharedObject(id: LockID(1), kind: .concurrentQueue, label: "cache")
    var scene = Scene([queue, .mutex(2 as UInt64)])
    _ = scene.strand(1, holds: [.lock(1, .shared)], takes: .lock(2))
    let found = scene.strand(2, holds: [.lock(2)], takes: .lock(1, .exclusive)).findings
    #expect(
      found.first?.participants.map(\.role) == [
        #"is inside concurrent queue "cache" and takes mutex L2"#,
        #"holds mutex L2 and enters a barrier of concurrent queue "cache""#,
      ])
  }
}
