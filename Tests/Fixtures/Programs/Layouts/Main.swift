import Foundation
import Threadmill

// Objects of the Swift runtime and of Foundation, each of which the gate reads. Prints what a
// correct program has to say of them, and ends with a status of its own.

@main struct Main {
  static func main() async throws {
    switch CommandLine.arguments.dropFirst().first {
    case "observed": await observed()
    case "explored": try await explored()
    default: exit(2)
    }
    exit(7)
  }

  private static func observed() async {
    let account = Account()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { await account.add(1) } }
    }
    print("balance", await account.balance)
    print("plain", await withUnsafeContinuation { $0.resume(returning: 1) })
    print("checked", await withCheckedContinuation { $0.resume(returning: 2) })
    await withCheckedContinuation { over in
      Thread.detachNewThread {
        operate()
        over.resume()
      }
    }
    takeTwice()
  }

  private static func takeTwice() {
    let lock = NSRecursiveLock()
    print("locked", lock.lock(before: .distantFuture), lock.try())
    lock.unlock()
    lock.unlock()
  }

  private static func operate() {
    let steps = ["first", "a step whose name is longer than a word"].map { name in
      let step = BlockOperation()
      step.name = name
      return step
    }
    steps[1].addDependency(steps[0])
    OperationQueue().addOperations(steps, waitUntilFinished: true)
    steps[1].willChangeValue(for: \.isFinished)
    steps[1].didChangeValue(for: \.isFinished)
    steps[1].willChangeValue(forKey: "isFinished")
    steps[1].didChangeValue(forKey: "isFinished")
    print("finished", steps.map(\.isFinished))
  }

  /// Tasks that wait for one actor: the gate may suspend them where they leave it.
  private static func explored() async throws {
    let exploration = try await explore(schedules: 50, strategy: .randomWalk) {
      await withdrawTwice(from: Account())
    }
    print("schedules", exploration.schedules > 0)
  }

  private static func withdrawTwice(from account: Account) async {
    await account.add(100)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 { group.addTask { await account.withdraw(60) } }
    }
    _ = await account.balance
  }
}

private actor Account {
  private(set) var balance = 0

  func add(_ amount: Int) { balance += amount }

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await Task.yield()
    balance -= amount
  }
}
