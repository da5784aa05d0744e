import Foundation

private final class Step: Operation, @unchecked Sendable {
  let box: Box
  init(_ box: Box) { self.box = box }
  override func main() { box.touch() }
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
