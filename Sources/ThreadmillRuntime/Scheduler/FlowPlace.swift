#if os(Linux)
  import ThreadmillModel

  /// Where somebody of an exploration stands: noted while all stand still, named later.
  package struct FlowPlace {
    private let stack: Backtrace

    /// `nil` for one that is over, and where its stack is not known.
    package init?(of strand: UInt32) {
      guard let view = FlowView.of(strand), !view.stack.isEmpty else { return nil }
      stack = view.stack
    }

    /// The user's innermost line; called inside `Gate.delivering`.
    package var frame: Frame? {
      (Session.current?.symbolicator?.symbolicated(stack) ?? stack).places.first
    }
  }
#endif
