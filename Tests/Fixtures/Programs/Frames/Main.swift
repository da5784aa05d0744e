import CThreadmillFrameProbe
import Dispatch
import Foundation

// Submits work in many ways, many times, and prints for each of them how many submissions there
// were, for how many the gate asked the unwinder, and how many of its answers were wrong.

@main struct Main {
  static let times = 50
  static let queue = DispatchQueue(label: "queue")

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
    tellFromManyPlaces("first")
    tellFromManyPlaces("again")
  }

  /// One function submits, and each of its callers makes a stack of its own.
  private static func tellFromManyPlaces(_ round: String) {
    let tickets = (0..<Int(FRAME_PROBE_PLACES)).map { _ in Ticket() }
    for (number, ticket) in tickets.enumerated() {
      var submission = Submission(ticket: ticket, queue: queue)
      frame_probe_call_from(
        UInt8(number),
        { context in
          let submission = context.assumingMemoryBound(to: Submission.self)
          let (ticket, queue) = (submission.pointee.ticket, submission.pointee.queue)
          frame_probe_note(ticket.before)
          queue.async { ticket.lands() }
          frame_probe_note(ticket.after)
        }, &submission)
    }
    tell("many-callers", round, tickets)
  }

  private struct Submission {
    let ticket: Ticket
    let queue: DispatchQueue
  }

  private static func tell(
    _ shape: Shape, _ place: String, _ runs: (@escaping @Sendable () -> Void) -> Void
  ) {
    let tickets = (0..<times).map { _ in Ticket() }
    runs {
      let place = Place()
      for ticket in tickets { shape.submit(ticket, place) }
    }
    tell(shape.name, place, tickets)
  }

  private static func tell(_ shape: String, _ place: String, _ tickets: [Ticket]) {
    for ticket in tickets { ticket.wait() }
    let asked = tickets.filter { $0.timesAsked > 0 }.count
    let wrong = tickets.filter { !$0.isRight }
    print(shape, place, tickets.count, asked, wrong.count)
    for ticket in wrong.prefix(2) {
      FileHandle.standardError.write(Data("\(ticket.description)\n".utf8))
    }
  }
}
