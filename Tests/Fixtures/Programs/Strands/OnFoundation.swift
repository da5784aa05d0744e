import Foundation

private final class Step: Operation, @unchecked Sendable {
  let box: Box
  init(_ box: Box) { self.box = box }
  override func main() { box.touch() }
}

/// An operation that goes on after `start` has returned, and says itself when it has finished.
final class Asynchronous: Operation, @unchecked Sendable {
  private let lock = NSLock()
  private var runs = false, ended = false
  private let microseconds: UInt32
  private let body: @Sendable () -> Void
  init(after microseconds: UInt32, _ body: @escaping @Sendable () -> Void) {
    self.microseconds = microseconds
    self.body = body
  }
  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { lock.withLock { runs } }
  override var isFinished: Bool { lock.withLock { ended } }
  override func start() {
    set(true, false)
    DispatchQueue.global().async { [self] in
      usleep(microseconds)
      body()
      set(false, true)
    }
  }
  private func set(_ runs: Bool, _ ended: Bool) {
    lock.withLock {
      self.runs = runs
      self.ended = ended
    }
    didChangeValue(forKey: "isExecuting")
    if ended { didChangeValue(forKey: "isFinished") }
  }
}

let foundationCases: [String: @Sendable () -> Void] = [
  "dependencies": {
    let box = Box()
    let queue = OperationQueue()
    let first = BlockOperation { box.touch() }
    let second = Step(box)
    let third = BlockOperation { box.touch() }
    second.addDependency(first)
    third.addDependency(second)
    box.touch()
    queue.addOperations([third, second, first], waitUntilFinished: true)
    box.touch()
  },
  "dependenciesAcrossQueues": {
    let box = Box()
    let queues = [OperationQueue(), OperationQueue()]
    for queue in queues { queue.underlyingQueue = DispatchQueue(label: "work") }
    let first = BlockOperation {
      usleep(1_000)
      box.touch()
    }
    let second = BlockOperation { box.touch() }
    second.addDependency(first)
    queues[0].addOperation(first)
    queues[1].addOperation(second)
    for queue in queues { queue.waitUntilAllOperationsAreFinished() }
    box.touch()
  },
  "completionBlocks": {
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    let operation = Step(box)
    operation.completionBlock = {
      box.touch()
      done.signal()
    }
    OperationQueue().addOperation(operation)
    done.wait()
    box.touch()
  },
  "oneAtATime": {
    let box = Box()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    for _ in 0..<20 { queue.addOperation { box.touch() } }
    queue.waitUntilAllOperationsAreFinished()
    box.touch()
  },
  "oneAtATimeInTurn": {
    let box = Box()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    for i in 0..<4 {
      queue.addOperation { box.touch() }
      if i % 2 == 0 { usleep(5_000) }
    }
    queue.waitUntilAllOperationsAreFinished()
    box.touch()
  },
  "seenFinished": {
    let boxes = (0..<4).map { _ in Box() }
    let queue = OperationQueue()
    for box in boxes { queue.addOperation { box.touch() } }
    usleep(5_000)
    while queue.operationCount > 0 { usleep(100) }
    for box in boxes { box.touch() }
    for box in boxes { queue.addOperation { box.touch() } }
    usleep(5_000)
    while !queue.operations.isEmpty { usleep(100) }
    for box in boxes { box.touch() }
    for box in boxes { queue.addOperation { box.touch() } }
    usleep(5_000)
    queue.waitUntilAllOperationsAreFinished()
    for box in boxes { box.touch() }
  },
  "suspendedOperations": {
    let box = Box()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    for _ in 0..<3 { queue.addOperation { box.touch() } }
    box.touch()
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    queue.isSuspended = true
    queue.addOperation { box.touch() }
    box.touch()
    queue.isSuspended.toggle()
    queue.waitUntilAllOperationsAreFinished()
    box.touch()
  },
  "asynchronousOperations": {
    let box = Box()
    let queue = OperationQueue()
    let first = Asynchronous(after: 1_000) { box.touch() }
    let second = Asynchronous(after: 0) { box.touch() }
    second.addDependency(first)
    let third = BlockOperation { box.touch() }
    third.addDependency(first)
    third.addDependency(second)
    queue.addOperations([third, second, first], waitUntilFinished: true)
    box.touch()
    let other = OperationQueue()
    other.maxConcurrentOperationCount = 1
    for _ in 0..<3 { other.addOperation(Asynchronous(after: 1_000) { box.touch() }) }
    other.waitUntilAllOperationsAreFinished()
    box.touch()
  },
  "waitUntilFinished": {
    let box = Box()
    let queue = OperationQueue()
    let operation = Step(box)
    queue.addOperation(operation)
    operation.waitUntilFinished()
    box.touch()
  },
  "barrierOperation": {
    let boxes = (0..<6).map { _ in Box() }
    let queue = OperationQueue()
    for box in boxes { queue.addOperation { box.touch() } }
    queue.addBarrierBlock { for box in boxes { box.touch() } }
    for box in boxes { queue.addOperation { box.touch() } }
    queue.waitUntilAllOperationsAreFinished()
    for box in boxes { box.touch() }
  },
  "underlyingQueue": {
    let box = Box()
    let serial = DispatchQueue(label: "serial")
    let queue = OperationQueue()
    queue.underlyingQueue = serial
    for _ in 0..<10 { queue.addOperation { box.touch() } }
    queue.waitUntilAllOperationsAreFinished()
    serial.sync { box.touch() }
  },
  "codersAndFormatters": {
    struct Value: Codable { var a = 1, b = "two", c: [Double] = [1, 2] }
    let group = DispatchGroup()
    for _ in 0..<10 {
      DispatchQueue.global().async(group: group) {
        let data = try? JSONEncoder().encode(Value())
        _ = data.flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy"
        _ = formatter.string(from: Date())
        _ = "a,b,c".components(separatedBy: ",").map(\.localizedUppercase)
        _ = NSRegularExpression.escapedPattern(for: "a.b")
        _ = URL(string: "https://example.com/a?b=c")?.host
        _ = ProcessInfo.processInfo.environment["HOME"]
      }
    }
    group.wait()
  },
  "cachesAndNotes": {
    nonisolated(unsafe) let cache = NSCache<NSString, Box>()
    let group = DispatchGroup()
    for i in 0..<10 {
      DispatchQueue.global().async(group: group) {
        let box = Box()
        box.touch()
        cache.setObject(box, forKey: "\(i)" as NSString)
        _ = cache.object(forKey: "\(i)" as NSString)
      }
    }
    group.wait()
    for i in 0..<10 { cache.object(forKey: "\(i)" as NSString)?.touch() }
    let box = Box()
    let token = NotificationCenter.default.addObserver(
      forName: .init("strands"), object: nil, queue: nil
    ) { _ in box.touch() }
    NotificationCenter.default.post(name: .init("strands"), object: nil)
    box.touch()
    NotificationCenter.default.removeObserver(token)
  },
  "threads": {
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      box.touch()
      DispatchQueue.concurrentPerform(iterations: 4) { _ in _ = box.n }
      DispatchQueue(label: "of thread").sync { box.touch() }
      done.signal()
    }
    box.touch()
    thread.start()
    done.wait()
    box.touch()
  },
]
