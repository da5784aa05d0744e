import Foundation
import Threadmill

/// Ways onto a queue that lead through no watched call, as a library takes them that calls
/// libdispatch itself: of all the signs that it is the right queue, some are missing.
extension Case {
  static let unseenCases: [Case] = [
    .right("unseen-block") { queue, ledger in queue.asyncUnseen { book(ledger) } },
    .right("unseen-block-inside-other-sync") { queue, ledger in
      let other = DispatchQueue(label: "other")
      queue.asyncUnseen { other.sync { book(ledger) } }
    },
    .right("unseen-block-before-others") { queue, ledger in
      let other = DispatchQueue(label: "other")
      queue.asyncUnseen {
        for _ in 0..<10 { queue.async {} }
        other.sync { book(ledger) }
      }
    },
    .right("concurrent-unseen-block-inside-other-sync", isConcurrent: true) { queue, ledger in
      let other = DispatchQueue(label: "other")
      queue.asyncUnseen { other.sync { book(ledger) } }
    },
    .right("concurrent-unseen-block-inside-unseen-sync", isConcurrent: true) { queue, ledger in
      let other = DispatchQueue(label: "other")
      queue.asyncUnseen { other.syncUnseen { book(ledger) } }
    },
    .right("concurrent-around-run-loop", isConcurrent: true) { queue, ledger in
      let (other, done) = (DispatchQueue(label: "other"), Flag())
      DispatchQueue.main.async {
        book(ledger)
        done.isUp = true
      }
      other.sync {
        queue.syncUnseen {
          while !done.isUp { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        }
      }
    },
    .wrong("concurrent-queue-from-main-queue", isConcurrent: true) { _, ledger in
      DispatchQueue.main.async {
        book(ledger)
        exit(0)
      }
      dispatchMain()
    },
  ]
}

/// Of the main thread only.
private final class Flag: @unchecked Sendable {
  var isUp = false
}

extension DispatchQueue {
  private typealias Submit =
    @convention(c) (
      OpaquePointer, UnsafeMutableRawPointer, @convention(c) (UnsafeMutableRawPointer) -> Void
    ) -> Void

  /// Runs `body` on this queue and waits for it elsewhere.
  fileprivate func asyncUnseen(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    submit("dispatch_async_f") {
      body()
      done.signal()
    }
    done.wait()
  }

  fileprivate func syncUnseen(_ body: @escaping @Sendable () -> Void) {
    submit("dispatch_sync_f", body)
  }

  /// Calls libdispatch's own function, not what stands in front of it.
  private func submit(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let library = dlopen("libdispatch.so", RTLD_NOLOAD | RTLD_LAZY)
    guard let symbol = dlsym(library, name), let queue = inner else { fatalError("no \(name)") }
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    unsafeBitCast(symbol, to: Submit.self)(queue, context) { context in
      Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    }
  }

  /// The C object that the Swift one wraps.
  private var inner: OpaquePointer? {
    Mirror(reflecting: self).children.lazy.compactMap { $0.value as? OpaquePointer }.first
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
