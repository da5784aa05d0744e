import CThreadmillFrameProbe
import Dispatch
import Foundation

// Submits work in many ways, many times, and prints for each of them how many submissions there
// were, for how many the gate asked the unwinder, and how many of its answers were wrong.

@main struct Main {
  static let times = 50

  static func main() {
    guard frame_probe_begin() else { return print("no unwinder") }
    for shape in Shape.all {
      tell(shape, "main") { $0() }
      tell(shape, "thread") { body in
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          body()
          done.signal()
        }
        done.wait()
      }
      tell(shape, "block") { body in DispatchQueue(label: "outer").sync { body() } }
      tell(shape, "worker") { body in
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          body()
          done.signal()
        }
        done.wait()
      }
    }
  }

  private static func tell(
    _ shape: Shape, _ place: String, _ runs: (@escaping @Sendable () -> Void) -> Void
  ) {
    let tickets = (0..<times).map { _ in Ticket() }
    runs {
      let place = Place()
      for ticket in tickets { shape.submit(ticket, place) }
    }
    for ticket in tickets { ticket.wait() }
    let asked = tickets.filter { $0.timesAsked > 0 }.count
    let wrong = tickets.filter { !$0.isRight }
    print(shape.name, place, tickets.count, asked, wrong.count)
    for ticket in wrong.prefix(2) {
      FileHandle.standardError.write(Data("\(ticket.description)\n".utf8))
    }
  }
}
