import CoreFoundation
import Foundation
import Synchronization
import XCTest

/// The ways to run a run loop, and to end that. All tests but one pass in each order.
///
/// What is tested is time: a sleep lets virtual time pass, and synchronises nothing.
final class RunLoopTests: XCTestCase {
  /// The tests that have run before in this process. XCTest runs one test at a time.
  nonisolated(unsafe) private static var known = Set<String>()
  /// Whether this run is a schedule, in virtual time. A test's first run is in real time, which is
  /// longer on a busy machine.
  private var isExact = false

  override func setUp() { isExact = !Self.known.insert(name).inserted }

  private func check(_ seconds: TimeInterval, _ expected: TimeInterval) {
    XCTAssertGreaterThanOrEqual(seconds, expected - 0.001)
    if isExact { XCTAssertEqual(seconds, expected, accuracy: 0.01) }
  }

  /// Seconds since `start`, by the clock that the program reads.
  private func elapsed(since start: Date) -> TimeInterval { -start.timeIntervalSinceNow }

  private func onAThread(_ work: @escaping @Sendable () -> Void) {
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      work()
      ended.signal()
    }
    ended.wait()
  }

  func testPerformsBlocksOnTheMainLoop() {
    let performed = Atomic(false)
    onAThread {
      RunLoop.main.perform {
        XCTAssertTrue(Thread.isMainThread)
        XCTAssertTrue(RunLoop.current === RunLoop.main)
        performed.store(true, ordering: .relaxed)
      }
    }
    let start = Date()
    RunLoop.main.run(until: start + 0.5)
    XCTAssertTrue(performed.load(ordering: .relaxed))
    check(elapsed(since: start), 0.5)
  }

  func testFiresTimersOfTheMainLoop() {
    let start = Date()
    let times = Times()
    onAThread {
      let timer = Timer(fire: start + 0.25, interval: 0.25, repeats: true) { timer in
        if times.add(-start.timeIntervalSinceNow) == 3 { timer.invalidate() }
      }
      RunLoop.main.add(timer, forMode: .common)
    }
    RunLoop.main.run(until: start + 2)
    let fired = times.all.withLock { $0 }
    XCTAssertEqual(fired.count, 3)
    for (time, expected) in zip(fired, [0.25, 0.5, 0.75]) {
      check(time, expected)
    }
    check(elapsed(since: start), 2)
  }

  /// The main queue's blocks run on the main thread, whose loop is this one.
  func testFiresATimerThatABlockHasSet() {
    let fired = expectation(description: "fired")
    DispatchQueue.main.async {
      let timer = Timer(fire: Date() + 0.25, interval: 0, repeats: false) { _ in fired.fulfill() }
      RunLoop.current.add(timer, forMode: .default)
    }
    wait(for: [fired], timeout: 10)
  }

  func testRunsBlocksOfTheMainQueueMeanwhile() {
    let flag = Flag()
    DispatchQueue.global().async {
      DispatchQueue.main.async { flag.isSet.store(true, ordering: .relaxed) }
    }
    while !flag.isSet.load(ordering: .relaxed) {
      XCTAssertTrue(RunLoop.current.run(mode: .default, before: .distantFuture))
    }
  }

  func testEndsARunOfOneSource() {
    DispatchQueue.global().async { DispatchQueue.main.async {} }
    XCTAssertEqual(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 5, true), .handledSource)
    XCTAssertEqual(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 5, true), .timedOut)
    XCTAssertEqual(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, true), .timedOut)
  }

  /// The calls of the C library show one time.
  func testClocksShowTheSameTime() {
    func seconds() -> [TimeInterval] {
      var now = timeval()
      gettimeofday(&now, nil)
      let exact = TimeInterval(now.tv_sec) + TimeInterval(now.tv_usec) / 1e6
      return [exact, TimeInterval(time(nil)), Date().timeIntervalSince1970]
    }
    let start = seconds()
    Thread.sleep(forTimeInterval: 2)
    for (end, start) in zip(seconds(), start) { check(end - start, 2) }
  }

  func testRunsUntilStopped() {
    DispatchQueue.global().async {
      Thread.sleep(forTimeInterval: 1)
      DispatchQueue.main.async { CFRunLoopStop(CFRunLoopGetCurrent()) }
    }
    let start = Date()
    CFRunLoopRun()
    check(elapsed(since: start), 1)
  }

  /// A timer of the thread's loop fires each second until a block ends the loop's run. If it is
  /// careless, the block does not wake the loop, which may sleep already.
  private func runAThreadsLoop(carelessly: Bool) {
    let loop = Mutex<ThreadsLoop?>(nil)
    let count = Atomic(0)
    let (ready, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      let interval = carelessly ? 1000.0 : 1
      let timer = Timer(fire: Date() + interval, interval: interval, repeats: true) { _ in
        count.add(1, ordering: .relaxed)
      }
      RunLoop.current.add(timer, forMode: .default)
      loop.withLock { $0 = ThreadsLoop(it: CFRunLoopGetCurrent()) }
      ready.signal()
      CFRunLoopRun()
      timer.invalidate()
      ended.signal()
    }
    ready.wait()
    let its = loop.withLock { $0! }.it
    if !carelessly { Thread.sleep(forTimeInterval: 3.5) }
    CFRunLoopPerformBlock(its, kCFRunLoopDefaultMode) { CFRunLoopStop(CFRunLoopGetCurrent()) }
    if !carelessly { CFRunLoopWakeUp(its) }
    XCTAssertEqual(ended.wait(timeout: .now() + 5), .success)
    if isExact { XCTAssertEqual(count.load(ordering: .relaxed), carelessly ? 0 : 3) }
  }

  func testAThreadRunsItsLoop() { runAThreadsLoop(carelessly: false) }

  /// Whether the test has run before: it never fails as it is. XCTest runs one test at a time.
  nonisolated(unsafe) private static var hasRun = false

  func testForgetsToWakeALoop() {
    runAThreadsLoop(carelessly: Self.hasRun)
    Self.hasRun = true
  }

  func testALoopWithNothingToWaitForEndsAtOnce() {
    let start = Date()
    onAThread {
      RunLoop.current.run()
      RunLoop.current.run(until: start + 1)
      XCTAssertFalse(RunLoop.current.run(mode: .default, before: .distantFuture))
      XCTAssertEqual(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 5, true), .finished)
    }
    check(elapsed(since: start), 0)
  }

  func testAThreadWaitsForExpectations() {
    let (first, second) = (expectation(description: "first"), expectation(description: "second"))
    Thread.detachNewThread {
      XCTAssertEqual(XCTWaiter.wait(for: [first], timeout: 5), .completed)
      second.fulfill()
    }
    first.fulfill()
    wait(for: [second], timeout: 6)
  }
}

private final class Times: Sendable {
  let all = Mutex([TimeInterval]())

  /// Returns how many there are then.
  func add(_ one: TimeInterval) -> Int {
    all.withLock {
      $0.append(one)
      return $0.count
    }
  }
}

private final class Flag: Sendable {
  let isSet = Atomic(false)
}

/// Other threads only add blocks to the loop and wake it, which Core Foundation allows.
private struct ThreadsLoop: @unchecked Sendable {
  let it: CFRunLoop
}
