/// A quality of service that somebody chose, for a queue, a block or a task.
///
/// The raw values are libdispatch's. On Linux it makes user-interactive queues user-initiated ones,
/// so the two are one here.
package enum Quality: UInt8, Comparable, Sendable, CaseIterable {
  case background = 0x09
  case utility = 0x11
  case standard = 0x15
  case userInitiated = 0x19

  /// What a reader calls it.
  package var name: String {
    switch self {
    case .background: "background"
    case .utility: "utility"
    case .standard: "default"
    case .userInitiated: "user-initiated or higher"
    }
  }

  package static func < (a: Quality, b: Quality) -> Bool { a.rawValue < b.rawValue }
}
