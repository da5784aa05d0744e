import ThreadmillChildren

extension Slots {
  /// For child processes: three, because many of them wait, and a small machine is not swamped.
  package static let children = Slots(3)
  /// For commands that build packages and run their tests: three, because each mostly waits
  /// while the tests run, but uses every core while it builds. See also ``Fixture/occupy(_:)``.
  package static let fixtures = Slots(3)
}
