import Foundation

extension Case {
  /// Cycles that can never become deadlocks: the second thread always comes after the first, which
  /// it hears of in a way that no tool for locks follows.
  static let impossible: [Case] = [
    Case("ordered-by-flag") {
      let (pair, done) = (Pair<PlainMutex>(), Flag())
      onThreads {
        pair.forward()
        done.raise()
      } _: {
        done.wait()
        pair.backward()
      }
    },
    Case("ordered-by-pipe") {
      let (pair, pipe) = (Pair<BinarySemaphore>(), Pipe())
      onThreads {
        pair.forward()
        pipe.fileHandleForWriting.write(Data([1]))
      } _: {
        _ = pipe.fileHandleForReading.readData(ofLength: 1)
        pair.backward()
      }
    },
    Case("ordered-by-file") {
      let (lock, queue) = (NSLock(), DispatchQueue(label: "drawer"))
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
      onThreads {
        lock.withLock { queue.sync {} }
        close(creat(file, 0o600))
      } _: {
        while access(file, F_OK) != 0 { usleep(500) }
        queue.sync { lock.withLock {} }
        unlink(file)
      }
    },
    // Both at once, but there is another pair for each, and it is two that make a cycle.
    Case("ordered-often") {
      let pairs = (0..<20).map { _ in Pair<PlainMutex>() }
      let turns = pairs.map { _ in Flag() }
      onThreads {
        for (pair, turn) in zip(pairs, turns) {
          pair.forward()
          turn.raise()
        }
      } _: {
        for (pair, turn) in zip(pairs, turns) {
          turn.wait()
          pair.backward()
        }
      }
    },
  ]
}
