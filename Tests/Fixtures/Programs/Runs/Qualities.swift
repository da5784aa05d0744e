import Dispatch
import Foundation

/// Prints at which nice value libdispatch runs what a user-initiated block submits in different
/// ways: a line for each, the way and the value.
@Sendable func printQualities() {
  DispatchQueue.global(qos: .userInitiated).sync {}
  let ended = DispatchSemaphore(value: 0)
  DispatchQueue.global(qos: .userInitiated).async {
    print("submitter", nice())
    run("plain-on-plain") { DispatchQueue(label: "plain").async(execute: $0) }
    run("plain-on-global") { DispatchQueue.global().async(execute: $0) }
    run("plain-on-utility") { DispatchQueue.global(qos: .utility).async(execute: $0) }
    for (name, flags) in [
      ("inherit", .inheritQoS), ("enforce", .enforceQoS), ("assign", .assignCurrentContext),
    ] as [(String, DispatchWorkItemFlags)] {
      run("\(name)-on-plain") {
        DispatchQueue(label: "plain").async(execute: DispatchWorkItem(flags: flags, block: $0))
      }
      run("\(name)-initiated-on-utility") {
        let item = DispatchWorkItem(qos: .userInitiated, flags: flags, block: $0)
        DispatchQueue(label: "utility", qos: .utility).async(execute: item)
      }
    }
    ended.signal()
  }
  ended.wait()
}

private func run(_ way: String, _ submit: (@escaping @Sendable () -> Void) -> Void) {
  let ended = DispatchSemaphore(value: 0)
  submit {
    print(way, nice())
    ended.signal()
  }
  ended.wait()
}

/// This thread's: on Linux it is not the process's.
private func nice() -> Int32 { getpriority(__priority_which_t(0), 0) }
