/// The order that an atomic access asks for, numbered as C's `memory_order` is.
package enum MemoryOrder: Int32, CaseIterable, Sendable {
  case relaxed = 0
  /// Compilers make an acquiring load of it, and so does ``WeakMemory``.
  case consume = 1
  case acquire = 2
  case release = 3
  case acquireRelease = 4
  case sequential = 5

  package var acquires: Bool { self != .relaxed && self != .release }
  package var releases: Bool { rawValue >= Self.release.rawValue }

  /// The word that Swift has for it.
  package var words: String {
    switch self {
    case .relaxed: "relaxed"
    case .consume: "consuming"
    case .acquire: "acquiring"
    case .release: "releasing"
    case .acquireRelease: "acquiring and releasing"
    case .sequential: "sequentially consistent"
    }
  }
}
