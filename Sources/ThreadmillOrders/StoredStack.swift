import ThreadmillModel

/// A backtrace as it is kept for long: addresses alone, unless somebody already named the frames.
///
/// An address is a fifteenth of the size of a frame.
package enum StoredStack: Hashable, Sendable {
  case addresses([UInt64])
  /// Somebody already looked the frames up; the words are kept with them.
  case frames(Backtrace)

  package init(_ backtrace: Backtrace) {
    if backtrace.allSatisfy(\.isBare) {
      self = .addresses(backtrace.map(\.address))
    } else {
      self = .frames(backtrace)
    }
  }

  package var backtrace: Backtrace {
    switch self {
    case .addresses(let addresses): addresses.map { Frame(address: $0) }
    case .frames(let frames): frames
    }
  }

  /// Every frame's address, innermost first.
  package var addresses: [UInt64] {
    switch self {
    case .addresses(let addresses): addresses
    case .frames(let frames): frames.map(\.address)
    }
  }

  /// Without the frames that are known to be a system library's.
  package var userAddresses: [UInt64] {
    switch self {
    case .addresses(let addresses): addresses
    case .frames(let frames): frames.filter { !$0.isSystem }.map(\.address)
    }
  }
}
