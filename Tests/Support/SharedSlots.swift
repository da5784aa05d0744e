import ThreadmillChildren

extension Slots {
  /// For child processes: four, because many of them wait, and a small machine is not swamped.
  package static let children = Slots(4)
  /// For `swift test` in a fixture: it uses every core while it builds, and locks its build folder.
  package static let fixtures = Slots(1)
}
