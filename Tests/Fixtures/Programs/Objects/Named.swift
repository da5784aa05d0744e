import Foundation

// What a report can name: variables that no call initialises, and the caller of a continuation.

private enum Safe {
  nonisolated(unsafe) static var door = pthread_mutex_t()

  static func shut() {
    pthread_mutex_lock(&door)
    pthread_mutex_lock(&lid)
    pthread_mutex_unlock(&lid)
    pthread_mutex_unlock(&door)
  }

  static func open() {
    pthread_mutex_lock(&lid)
    pthread_mutex_lock(&door)
    pthread_mutex_unlock(&door)
    pthread_mutex_unlock(&lid)
  }
}

nonisolated(unsafe) private var lid = pthread_mutex_t()

private func answerTwice() async -> Int {
  await withUnsafeContinuation { continuation in
    continuation.resume(returning: 1)
    continuation.resume(returning: 2)
    exit(0)
  }
}

let namedCases: [String: @Sendable () -> Void] = [
  "locks-in-variables": {
    let thread = Thread { Safe.shut() }
    thread.start()
    while !thread.isFinished { usleep(1_000) }
    Safe.open()
  },
  "unsafe-continuation-resumed-twice": {
    Task { _ = await answerTwice() }
    dispatchMain()
  },
]
