import Dispatch

/// State that nothing guards.
final class Box: @unchecked Sendable {
  var n = 0
  var text = ""
  var list: [Int] = []
  /// Something that a worker does in the meantime.
  func touch() {
    n += 1
    text += "x"
    list.append(n)
  }
}

/// Runs an asynchronous body from a thread, and returns when it has ended.
func blocking(_ body: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    await body()
    done.signal()
  }
  done.wait()
}
