import Dispatch
import Foundation

private actor Workshop {
  func work(_ pair: Pair) { pair.backward() }
}

extension Case {
  static let tasks: [Case] = [
    Case("task") {
      meanwhile { pair, ended in
        Task.detached(priority: .utility) {
          Self.work(pair)
          ended.signal()
        }
      }
    },
    Case("actor") {
      meanwhile { pair, ended in
        Task.detached(priority: .utility) {
          await Workshop().work(pair)
          ended.signal()
        }
      }
    },
  ]

  private static func work(_ pair: Pair) { pair.backward() }

  private static func meanwhile(_ begin: (Pair, DispatchSemaphore) -> Void) {
    let (pair, ended) = (Pair(), DispatchSemaphore(value: 0))
    begin(pair, ended)
    pair.forward()
    ended.wait()
  }
}
