import Dispatch
import Foundation

/// One block has the main queue for long while another one is queued there.
let mainQueueCases: [String: @Sendable () -> Void] = [
  "long-closure": {
    holdByClosure()
    waitBehind()
  },
  "long-item": {
    holdByItem()
    waitBehind()
  },
  "long-barrier": {
    holdByBarrier()
    waitBehind()
  },
  "long-function": {
    DispatchQueue.main.async(execute: dawdle)
    waitBehind()
  },
  "long-task": {
    holdByTask()
    waitBehind()
  },
  "long-before-others": {
    holdUntilAnotherCame()
    RunLoop.main.run()
  },
]

private func dawdle() { Thread.sleep(forTimeInterval: 0.1) }

private func holdByClosure() {
  let reason = UUID()
  DispatchQueue.main.async {
    dawdle()
    withExtendedLifetime(reason) {}
  }
}

private func holdByItem() { DispatchQueue.main.async(execute: DispatchWorkItem { dawdle() }) }

private func holdByBarrier() {
  DispatchQueue.main.async(qos: .utility, flags: .barrier) { dawdle() }
}

private func holdByTask() { Task { @MainActor in dawdle() } }

/// The other block comes when the long one is all but over.
private func holdUntilAnotherCame() {
  DispatchQueue.main.async {
    Thread.sleep(forTimeInterval: 1.2)
    DispatchQueue.main.async { exit(0) }
  }
}

private func waitBehind() {
  DispatchQueue.main.async { exit(0) }
  RunLoop.main.run()
}
