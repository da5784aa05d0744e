import CThreadmillConformance
import Dispatch

/// Asynchronous sequences: order, ends, and producers outside the task.
let sequenceCases = [
  AsyncCase("stream.order", body: streamOrder),
  AsyncCase("stream.from-queue", body: streamFromQueue),
  AsyncCase("stream.throws", body: streamThrows),
  AsyncCase("stream.termination", body: streamTermination),
  AsyncCase("stream.newest", body: streamNewest),
  AsyncCase("stream.two-tasks", body: streamTwoTasks),
]

private func streamOrder() async {
  let stream = AsyncStream { continuation in
    for index in 0..<500 { continuation.yield(index) }
    continuation.finish()
  }
  var seen: [Int] = []
  for await value in stream { seen.append(value) }
  expect("in order", seen == Array(0..<500))
}

private func streamFromQueue() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  let queue = DispatchQueue(label: "producer")
  for index in 0..<500 { queue.async { continuation.yield(index) } }
  queue.async { continuation.finish() }
  var seen: [Int] = []
  for await value in stream { seen.append(value) }
  expect("in order", seen == Array(0..<500))
}

private func streamThrows() async {
  let stream = AsyncThrowingStream<Int, any Error> { continuation in
    continuation.yield(1)
    continuation.finish(throwing: Failure(code: 4))
  }
  var seen: [Int] = []
  do {
    for try await value in stream { seen.append(value) }
    expect("thrown", false)
  } catch {
    expect("error", error as? Failure, Failure(code: 4))
  }
  expect("seen", seen, [1])
}

/// Cancelling the consumer ends the stream and tells the producer once.
private func streamTermination() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  let terminated = Count()
  let received = Count()
  continuation.onTermination = { _ in terminated.increment() }
  let consumer = Task {
    for await _ in stream { received.increment() }
    return Task.isCancelled
  }
  continuation.yield(1)
  while received.value == 0 { await Task.yield() }
  consumer.cancel()
  expect("ended by cancellation", await consumer.value)
  expect("terminated", terminated.value, 1)
}

private func streamNewest() async {
  let (stream, continuation) = AsyncStream.makeStream(
    of: Int.self, bufferingPolicy: .bufferingNewest(2))
  for index in 0..<5 { continuation.yield(index) }
  continuation.finish()
  var seen: [Int] = []
  for await value in stream { seen.append(value) }
  expect("seen", seen, [3, 4])
}

private func streamTwoTasks() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  let producers = (0..<4).map { side in
    Task { for index in 0..<100 { continuation.yield(side * 100 + index) } }
  }
  let finisher = Task {
    for producer in producers { await producer.value }
    continuation.finish()
  }
  var seen: [Int] = []
  for await value in stream { seen.append(value) }
  await finisher.value
  expect("all", seen.sorted() == Array(0..<400))
}
