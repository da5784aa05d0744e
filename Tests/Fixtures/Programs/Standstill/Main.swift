import Foundation

// One deadlock in one process that never ends. Threadmill is linked and never called.

let cases: [String: @Sendable () -> Void] = [
  "mutexes": {
    let shed = Shed()
    onThreads({ shed.frameWall() }, { shed.cutRafter() })
  },
  "three-mutexes": {
    let stove = Stove()
    onThreads({ stove.cookSoup() }, { stove.cookFish() }, { stove.cookSauce() })
  },
  "mutex-and-join": { Foreman().callItADay() },
  "mutex-and-main-queue": {
    let errand = Errand()
    Thread.detachNewThread { errand.callHome() }
    errand.stayAtHome()
  },
  "mutex-and-queue": {
    let cache = Cache()
    cache.cleanUpLater()
    cache.lookUp()
  },
  "queues": {
    let books = Books()
    onThreads({ books.post() }, { books.settle() })
  },
  "swift-mutexes": {
    let couple = Couple()
    onThreads({ couple.greet() }, { couple.wave() })
  },
  "ended-owner": { Relay().takeOver() },
  "read-write-lock": {
    let atlas = Atlas()
    onThreads({ atlas.readAndCount() }, { atlas.countAndWrite() })
  },
]

/// Returns when all have returned, which none of them does.
func onThreads(_ jobs: (@Sendable () -> Void)...) {
  for job in jobs { Thread.detachNewThread { job() } }
  while true { pause() }
}

@main struct Main {
  static func main() {
    guard CommandLine.arguments.count == 2, let run = cases[CommandLine.arguments[1]] else {
      FileHandle.standardError.write(Data("usage: standstill CASE\n".utf8))
      exit(2)
    }
    run()
  }
}
