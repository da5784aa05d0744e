import Foundation

// Programs in which nothing happens for longer than `hang=1`, and that all come to their end.

/// One thread waits for ever for another that does this.
private func besides(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  done.wait()
}

@Sendable func sleepLong() { besides { Thread.sleep(forTimeInterval: 3) } }

@Sendable func pollLong() {
  besides {
    var nothing = pollfd()
    poll(&nothing, 0, 3_000)
  }
}

/// A pipe that another process writes to.
@Sendable func readLong() {
  besides {
    guard let stream = popen("sleep 3; echo done", "r") else { return }
    var line = [CChar](repeating: 0, count: 16)
    fgets(&line, 16, stream)
    pclose(stream)
  }
}

@Sendable func waitForChild() {
  besides {
    let child = Process()
    child.executableURL = URL(filePath: "/bin/sleep")
    child.arguments = ["3"]
    try? child.run()
    child.waitUntilExit()
  }
}

@Sendable func waitLong() {
  besides { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 3) }
}

/// Waits for a timer in a distance, while libdispatch's own threads are idle.
@Sendable func waitForTimer() {
  let fired = DispatchSemaphore(value: 0)
  let timer = DispatchSource.makeTimerSource()
  timer.setEventHandler { fired.signal() }
  timer.schedule(deadline: .now() + 3)
  timer.activate()
  fired.wait()
}

@Sendable func waitForLater() {
  let fired = DispatchSemaphore(value: 0)
  DispatchQueue.global().asyncAfter(wallDeadline: .now() + 3) { fired.signal() }
  Task {
    try? await Task.sleep(for: .seconds(4))
    exit(0)
  }
  fired.wait()
  dispatchMain()
}

@Sendable func waitForRunLoop() {
  let fired = DispatchSemaphore(value: 0)
  Thread.detachNewThread { fired.wait() }
  _ = Timer.scheduledTimer(withTimeInterval: 3, repeats: false) { _ in
    fired.signal()
    exit(0)
  }
  RunLoop.main.run()
}

/// Busy, without a call that anybody sees.
@Sendable func spin() {
  besides {
    let end = Date(timeIntervalSinceNow: 3)
    while Date() < end {}
  }
}

/// Stopped by a signal while one thread waits for another, and continued from outside.
@Sendable func work() {
  besides {
    guard let helper = popen("sleep 3; kill -CONT \(getpid())", "r") else { return }
    kill(getpid(), SIGSTOP)
    pclose(helper)
  }
}
