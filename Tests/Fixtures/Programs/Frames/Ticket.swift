import CThreadmillFrameProbe
import Dispatch

/// One submission: what the unwinder says about the submitting function right before and right
/// after the call, and what the gate has of it where the work runs.
final class Ticket: @unchecked Sendable {
  // Unchecked: the submitter writes the moments, the work writes `site`, and all is read when both
  // have come to their end.
  let before: UnsafeMutablePointer<frame_probe_moment>
  let after: UnsafeMutablePointer<frame_probe_moment>
  private let site: UnsafeMutablePointer<UInt>
  private let done = DispatchSemaphore(value: 0)

  init() {
    before = .allocate(capacity: 1)
    after = .allocate(capacity: 1)
    site = .allocate(capacity: Int(FRAME_PROBE_SITE))
  }

  deinit {
    before.deallocate()
    after.deallocate()
    site.deallocate()
  }

  /// To be called by the work.
  func lands() {
    frame_probe_submitted(site)
    done.signal()
  }

  func wait() { done.wait() }

  /// How often the gate asked the unwinder during the call.
  var timesAsked: Int { Int(after.pointee.asked - before.pointee.asked) }

  /// Whether the gate's frames are the library's function, the submitter between the two moments,
  /// and those that called it.
  var isRight: Bool {
    let (first, last) = (before.pointee.stack, after.pointee.stack)
    return frame_probe_is_in("libswiftDispatch", site[0]) && (first.0..<last.0).contains(site[1])
      && site[2] == first.1 && site[3] == first.2
  }

  var description: String {
    let (first, last) = (before.pointee.stack, after.pointee.stack)
    let got = (0..<Int(FRAME_PROBE_SITE)).map { hex(site[$0]) }.joined(separator: " ")
    return "\(got), not libswiftDispatch \(hex(first.0))..<\(hex(last.0)) "
      + "\(hex(first.1)) \(hex(first.2))"
  }

  private func hex(_ address: UInt) -> String { String(address, radix: 16) }
}
