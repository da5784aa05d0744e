import ThreadmillModel

/// Lines under construction, some of them rows whose columns line up.
///
/// The one way into a text report: whatever goes in is made printable here, so that no name from
/// the program under test can break a line or reach the terminal.
struct TextLayout {
  /// Rows of one group share their columns, even with other lines between them.
  enum Group: Hashable {
    case objects, stacks, facts, profile, story, ends
  }

  /// A cell wider than this overflows instead of moving the column for everybody. In a table every
  /// column counts.
  private static func widestColumn(in group: Group) -> Int {
    switch group {
    case .profile, .story, .ends: 120
    case .objects, .stacks, .facts: 48
    }
  }

  private enum Line {
    case text(String)
    case row([String], Group)
  }

  private var lines: [(indent: Int, line: Line)] = []

  mutating func text(_ text: String, indent: Int = 0) {
    lines.append((indent, .text(text.printable)))
  }

  mutating func row(_ cells: String..., group: Group, indent: Int) {
    row(cells, group: group, indent: indent)
  }

  mutating func row(_ cells: [String], group: Group, indent: Int) {
    lines.append((indent, .row(cells.map(\.printable), group)))
  }

  mutating func blank() { lines.append((0, .text(""))) }

  /// All lines, each with its line break and without blanks at its end.
  func render() -> String {
    let widths = columnWidths()
    var result = ""
    for (indent, line) in lines {
      let text =
        switch line {
        case .text(let text): text
        case .row(let cells, let group): Self.aligned(cells, widths[group] ?? [])
        }
      result += text.isEmpty ? "\n" : String(repeating: " ", count: indent) + text + "\n"
    }
    return result
  }

  /// The last cell of a row stands at the end of its line and widens nothing.
  private func columnWidths() -> [Group: [Int]] {
    var widths: [Group: [Int]] = [:]
    for case (_, .row(let cells, let group)) in lines {
      for (index, cell) in cells.dropLast().enumerated() {
        if widths[group, default: []].count <= index { widths[group, default: []].append(0) }
        let width = cell.count > Self.widestColumn(in: group) ? 0 : cell.count
        widths[group, default: []][index] = max(widths[group, default: []][index], width)
      }
    }
    return widths
  }

  private static func aligned(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (index, cell) in cells.enumerated() {
      text += cell
      guard index < cells.count - 1 else { break }
      let missing = max(0, (index < widths.count ? widths[index] : 0) - cell.count)
      text += String(repeating: " ", count: missing + 2)
    }
    while text.last == " " { text.removeLast() }
    return text
  }
}
