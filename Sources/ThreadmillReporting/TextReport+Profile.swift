import ThreadmillModel

extension TextReport {
  /// How many classes of locks the table has.
  static let classesShown = 20

  /// A row for each class of locks, those that were waited for the longest first. Ends with a line
  /// break.
  package func text(for profile: ContentionProfile) -> String {
    var layout = TextLayout()
    let count = Self.plural(profile.classes.count, "lock class", "lock classes")
    layout.text("Threadmill: contention profile, \(count) by total wait")
    guard !profile.classes.isEmpty else { return layout.render() }
    layout.row(
      "taken", "contended", "wait p50", "p99", "max", "hold p50", "p99", "max", "lock class",
      "longest holder", group: .profile, indent: 2)
    for one in profile.classes.prefix(Self.classesShown) { add(one, to: &layout) }
    let rest = profile.classes.count - Self.classesShown
    if rest > 0 { layout.text("… \(rest) more", indent: 2) }
    return layout.render()
  }

  private func add(_ one: ContentionProfile.LockClass, to layout: inout TextLayout) {
    let hasHolds = one.hold.count > 0
    layout.row(
      String(one.acquisitions), Self.share(one.contended, of: one.acquisitions),
      Self.duration(one.wait.percentile(50)), Self.duration(one.wait.percentile(99)),
      Self.duration(one.wait.longest),
      hasHolds ? Self.duration(one.hold.percentile(50)) : "–",
      hasHolds ? Self.duration(one.hold.percentile(99)) : "–",
      hasHolds ? Self.duration(one.hold.longest) : "–",
      name(of: one), holder(of: one), group: .profile, indent: 2)
  }

  private func name(of one: ContentionProfile.LockClass) -> String {
    var name = one.kind.noun
    if let label = one.label { name += " \"\(label)\"" }
    switch (one.kind, one.mode) {
    case (.readWriteLock, .shared): name += " (read)"
    case (.readWriteLock, .exclusive): name += " (write)"
    case (.concurrentQueue, .exclusive): name += " (barrier)"
    default: break
    }
    guard let frame = one.place.firstUserFrame ?? one.place.first else { return name }
    return name + (one.isFirstUse ? " first used at " : " created at ") + shown(frame)
  }

  private func holder(of one: ContentionProfile.LockClass) -> String {
    let frame = one.longestHolder.firstUserFrame ?? one.longestHolder.first
    guard let frame else { return "" }
    return place(of: frame).map { "\($0) in \(frame.name)" } ?? frame.nameWithOffset
  }

  private func shown(_ frame: Frame) -> String { place(of: frame) ?? frame.nameWithOffset }

  /// `12%`; less than one in a hundred, but some, is `<1%`.
  static func share(_ part: Int, of whole: Int) -> String {
    guard part > 0, whole > 0 else { return "0%" }
    let percent = Int((Double(part) / Double(whole) * 100).rounded())
    return percent == 0 ? "<1%" : "\(percent)%"
  }

  /// In the greatest unit of which there is one, with three digits: `950ns`, `1.25us`, `38.0ms`.
  static func duration(_ nanoseconds: Int) -> String {
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")]
    guard let (size, unit) = units.first(where: { nanoseconds >= $0.0 }) else {
      return "\(nanoseconds)ns"
    }
    let hundredths = nanoseconds / (size / 100)
    if hundredths >= 10_000 { return "\(hundredths / 100)\(unit)" }
    if hundredths >= 1_000 { return "\(hundredths / 100).\(hundredths / 10 % 10)\(unit)" }
    let digits = hundredths % 100
    return "\(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)\(unit)"
  }
}
