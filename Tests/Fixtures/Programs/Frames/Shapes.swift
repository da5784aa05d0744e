import CThreadmillFrameProbe
import Dispatch

/// A way to submit work, in a function of its own that notes where it stands before and after.
struct Shape: Sendable {
  let name: String
  let submit: @Sendable (Ticket, Place) -> Void
}

/// Where work goes: made before anything is counted.
final class Place: Sendable {
  let serial = DispatchQueue(label: "serial")
  let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
  let group = DispatchGroup()
  let empty = DispatchGroup()

  init() {
    group.enter()
    group.leave()
    empty.wait()
  }
}

extension Shape {
  static let all = [
    Shape(name: "async", submit: async),
    Shape(name: "async-concurrent", submit: asyncConcurrent),
    Shape(name: "async-group", submit: asyncGroup),
    Shape(name: "async-barrier", submit: asyncBarrier),
    Shape(name: "async-quality", submit: asyncQuality),
    Shape(name: "async-item", submit: asyncItem),
    Shape(name: "after", submit: asyncAfter),
    Shape(name: "notify", submit: notify),
    Shape(name: "wide-frame", submit: wideFrame),
    Shape(name: "generic", submit: { generic($0, $1, 7) }),
    Shape(name: "leftovers", submit: leftovers),
    Shape(name: "deep", submit: { deep($0, $1, 30) }),
  ]

  @inline(never) private static func async(_ ticket: Ticket, _ place: Place) {
    frame_probe_note(ticket.before)
    place.serial.async { ticket.lands() }
    frame_probe_note(ticket.after)
  }

  @inline(never) private static func asyncConcurrent(_ ticket: Ticket, _ place: Place) {
    frame_probe_note(ticket.before)
    place.concurrent.async { ticket.lands() }
    frame_probe_note(ticket.after)
  }

  @inline(never) private static func asyncGroup(_ ticket: Ticket, _ place: Place) {
    frame_probe_note(ticket.before)
    place.serial.async(group: place.group) { ticket.lands() }
    frame_probe_note(ticket.after)
  }

  @inline(never) private static func asyncBarrier(_ ticket: Ticket, _ place: Place) {
    frame_probe_note(ticket.before)
    place.concurrent.async(flags: .barrier) { ticket.lands() }
    frame_probe_note(ticket.after)
  }

  @inline(never) private static func asyncQuality(_ ticket: Ticket, _ place: Place) {
    frame_probe_note(ticket.before)
    place.concurrent.async(qos: .utility) { ticket.lands() }
    frame_probe_note(ticket.after)
  }

  @inline(never) private static func asyncItem(_ ticket: Ticket, _ place: Place) {
    let item = DispatchWorkItem { ticket.lands() }
    frame_probe_note(ticket.before)
    place.serial.async(execute: item)
    frame_probe_note(ticket.after)
  }

  @inline(never) private static func asyncAfter(_ ticket: Ticket, _ place: Place) {
    frame_probe_note(ticket.before)
    place.serial.asyncAfter(deadline: .now()) { ticket.lands() }
    frame_probe_note(ticket.after)
  }

  @inline(never) private static func notify(_ ticket: Ticket, _ place: Place) {
    frame_probe_note(ticket.before)
    place.empty.notify(queue: place.serial) { ticket.lands() }
    frame_probe_note(ticket.after)
  }

  @inline(never) private static func wideFrame(_ ticket: Ticket, _ place: Place) {
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: 400) { words in
      for i in words.indices { words[i] = UInt(i) }
      frame_probe_note(ticket.before)
      place.serial.async { ticket.lands() }
      frame_probe_note(ticket.after)
    }
  }

  /// The frame holds its own return address once more, as the leftover of an earlier call does.
  @inline(never) private static func leftovers(_ ticket: Ticket, _ place: Place) {
    frame_probe_note(ticket.before)
    let caller = ticket.before.pointee.stack.1
    var words = (caller, caller)
    place.serial.async { ticket.lands() }
    frame_probe_note(ticket.after)
    words.0 &+= words.1
  }

  @inline(never) private static func generic<T: Sendable>(
    _ ticket: Ticket, _ place: Place, _ value: T
  ) {
    frame_probe_note(ticket.before)
    place.serial.async {
      _ = value
      ticket.lands()
    }
    frame_probe_note(ticket.after)
  }

  @inline(never) private static func deep(_ ticket: Ticket, _ place: Place, _ depth: Int) {
    if depth > 0 { return deep(ticket, place, depth - 1) }
    async(ticket, place)
  }
}
