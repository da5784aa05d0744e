import ThreadmillChildren

extension Slots {
  /// For child processes: three, because many of them wait, and a small machine is not swamped.
  package static let children = Slots(3)
  /// For `swift test` in a fixture: it uses every core while it builds, and locks its build folder.
  package static let fixtures = Slots(1)
}
