/// The way from one text to another, line by line, in the form that `patch` reads.
package struct UnifiedDiff: Hashable, Sendable {
  package enum Line: Hashable, Sendable {
    case kept(String)
    case removed(String)
    case added(String)
  }

  /// Lines that changed, with some around them that did not.
  package struct Hunk: Hashable, Sendable {
    /// How many lines of either text come before it.
    fileprivate let oldBefore: Int
    fileprivate let newBefore: Int
    package let lines: [Line]
    /// The declaration that it begins in; `nil` where it begins in none.
    package let place: String?
  }

  /// Both texts whole: without the added lines the old one, without the removed ones the new one.
  package let lines: [Line]

  package init(from old: [String], to new: [String]) {
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [Line] = []
    var (from, to) = (0, 0)
    while from < old.count || to < new.count {
      if removed.contains(from) {
        lines.append(.removed(old[from]))
        from += 1
      } else if added.contains(to) {
        lines.append(.added(new[to]))
        to += 1
      } else {
        lines.append(.kept(new[to]))
        (from, to) = (from + 1, to + 1)
      }
    }
    self.lines = lines.tidied()
  }

  /// How many lines are not in both texts.
  package var changes: Int { lines.count { $0.isChange } }
}

extension UnifiedDiff {
  /// The changes in order, those that are close to each other in one hunk.
  ///
  /// - Parameter context: how many unchanged lines go with a change.
  package func hunks(context: Int = 3) -> [Hunk] {
    var ranges: [Range<Int>] = []
    for index in lines.indices where lines[index].isChange {
      let range = max(0, index - context)..<min(lines.count, index + context + 1)
      if let last = ranges.last, last.upperBound >= range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges.map { range in
      let before = lines[..<range.lowerBound]
      return Hunk(
        oldBefore: before.count { $0.isOld }, newBefore: before.count { $0.isNew },
        lines: Array(lines[range]), place: Self.place(in: before))
    }
  }

  /// The last declaration that begins in the first column.
  private static func place(in lines: ArraySlice<Line>) -> String? {
    let line = lines.last { $0.isOld && $0.text.first?.isLetter == true }
    guard let text = line?.text, text.hasSuffix(" {") else { return nil }
    return String(text.dropLast(2))
  }

  /// The header and every hunk, line by line; nothing for two equal texts.
  package func text(from old: String, to new: String) -> [String] {
    let hunks = hunks()
    guard !hunks.isEmpty else { return [] }
    return ["--- \(old)", "+++ \(new)"] + hunks.flatMap { [$0.header] + $0.lines.map(\.marked) }
  }
}

extension UnifiedDiff.Hunk {
  package var header: String {
    let old = Self.range(before: oldBefore, count: lines.count { $0.isOld })
    let new = Self.range(before: newBefore, count: lines.count { $0.isNew })
    return "@@ -\(old) +\(new) @@\(place.map { " \($0)" } ?? "")"
  }

  /// Lines count from 1; an empty range is named by the line before it.
  private static func range(before: Int, count: Int) -> String {
    "\(count == 0 ? before : before + 1),\(count)"
  }
}

extension UnifiedDiff.Line {
  package var text: String {
    switch self {
    case .kept(let text), .removed(let text), .added(let text): text
    }
  }

  /// With its sign in front; an empty line that was kept is empty.
  package var marked: String {
    switch self {
    case .kept(let text): text.isEmpty ? "" : " \(text)"
    case .removed(let text): "-\(text)"
    case .added(let text): "+\(text)"
    }
  }

  var isOld: Bool {
    if case .added = self { false } else { true }
  }

  var isNew: Bool {
    if case .removed = self { false } else { true }
  }

  var isChange: Bool { !isOld || !isNew }
}

extension [UnifiedDiff.Line] {
  /// The same changes, at the place where a reader expects them.
  ///
  /// When an empty line, `func b() {` and `}` are added behind the `}` of `a`, the new lines may as
  /// well be the `}` of `a` and all but the last of these: a run of changes of one kind can slide.
  fileprivate func tidied() -> Self {
    var lines = self
    var index = 0
    while index < lines.count {
      guard lines[index].isChange else {
        index += 1
        continue
      }
      let end = lines[index...].firstIndex { !$0.isChange } ?? lines.count
      let isOneKind = lines[index..<end].allSatisfy { $0.isOld == lines[index].isOld }
      index = isOneKind ? lines.slide(index..<end) : end
    }
    return lines
  }

  /// Moves a run to where it begins with an empty line, else ends with one, else as far down as it
  /// goes; returns its end.
  private mutating func slide(_ run: Range<Int>) -> Int {
    var run = run
    while run.lowerBound > 0, canSwap(run.lowerBound - 1, run.upperBound - 1) {
      swapAt(run.lowerBound - 1, run.upperBound - 1)
      run = (run.lowerBound - 1)..<(run.upperBound - 1)
    }
    var best = (run: run, lines: self, rank: rank(of: run))
    while run.upperBound < count, canSwap(run.upperBound, run.lowerBound) {
      swapAt(run.lowerBound, run.upperBound)
      run = (run.lowerBound + 1)..<(run.upperBound + 1)
      if rank(of: run) >= best.rank { best = (run, self, rank(of: run)) }
    }
    self = best.lines
    return best.run.upperBound
  }

  private func canSwap(_ kept: Int, _ changed: Int) -> Bool {
    !self[kept].isChange && self[kept].text == self[changed].text
  }

  private func rank(of run: Range<Int>) -> Int {
    if self[run.lowerBound].text.isEmpty { return 2 }
    return self[run.upperBound - 1].text.isEmpty ? 1 : 0
  }
}
