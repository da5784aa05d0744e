/// Where the nodes and edges of a finding's graph are drawn. Whole numbers, the same for equal
/// graphs.
struct GraphLayout {
  struct Point: Hashable {
    var x: Double
    var y: Double
  }

  /// A curve with one control point, from the border of one box to that of another.
  struct Curve {
    var start: Point
    var control: Point
    var end: Point

    var middle: Point {
      Point(x: (start.x + 2 * control.x + end.x) / 4, y: (start.y + 2 * control.y + end.y) / 4)
    }
  }

  static let box = Point(x: 176, y: 48)
  private static let gap = Point(x: 112, y: 62)
  /// Between a curve that bends away and the box beside it.
  private static let bulge = 104.0
  private static let margin = 12.0
  /// The greatest number of nodes that are drawn; the rest is left out.
  static let mostNodes = 24

  private(set) var centers: [FindingGraph.Node: Point] = [:]
  private(set) var width = 0.0
  private(set) var height = 0.0

  init(_ graph: FindingGraph) {
    let shown = graph.walk.prefix(Self.mostNodes)
    if let levels = graph.levels {
      place(
        rows: Dictionary(grouping: shown) { levels[$0, default: 0] }.sorted { $0.key < $1.key }
          .map(\.value))
    } else if shown.count <= 2 {
      place(rows: shown.map { [$0] }, beside: shown.count == 1 ? 0 : Self.bulge)
    } else {
      place(ring: Array(shown))
    }
  }

  /// One row below the other, each in the middle.
  private mutating func place(rows: [[FindingGraph.Node]], beside: Double = 0) {
    let step = Self.box.x + Self.gap.x / 3
    let widest = Double(rows.map(\.count).max() ?? 0)
    width = widest * step - Self.gap.x / 3 + 2 * (Self.margin + beside)
    for (row, nodes) in rows.enumerated() {
      for (column, node) in nodes.enumerated() {
        let offset = Double(column) - Double(nodes.count - 1) / 2
        centers[node] = Point(x: width / 2 + offset * step, y: Self.top(Double(row)))
      }
    }
    height = Self.top(Double(rows.count) - 1) + Self.box.y / 2 + Self.margin
  }

  /// Down the right side and up the left one, so that the way around is a ring.
  private mutating func place(ring: [FindingGraph.Node]) {
    let right = (ring.count + 1) / 2
    width = 2 * Self.box.x + Self.gap.x + 2 * Self.margin
    for (index, node) in ring.enumerated() {
      let isRight = index < right
      let x = Self.margin + Self.box.x / 2
      let missing = isRight ? 0 : Double(2 * right - ring.count)
      let row = isRight ? Double(index) : Double(ring.count - 1 - index) + missing / 2
      centers[node] = Point(x: isRight ? width - x : x, y: Self.top(row))
    }
    height = Self.top(Double(right) - 1) + Self.box.y / 2 + Self.margin
  }

  private static func top(_ row: Double) -> Double {
    margin + box.y / 2 + row * (box.y + gap.y)
  }

  /// `nil` for an edge whose ends are one node or not both drawn.
  func curve(of edge: FindingGraph.Edge, in graph: FindingGraph) -> Curve? {
    guard edge.from != edge.to, let a = centers[edge.from], let b = centers[edge.to] else {
      return nil
    }
    let hasTwin = graph.edges.contains { $0.from == edge.to && $0.to == edge.from }
    let (x, y) = (b.x - a.x, b.y - a.y)
    let length = max(1, (x * x + y * y).squareRoot())
    let isFar = abs(y) > Self.box.y + Self.gap.y + 1
    let bend = hasTwin ? Self.bulge * 1.5 : isFar ? Self.bulge : 0
    let control = Point(
      x: (a.x + b.x) / 2 + y / length * bend, y: (a.y + b.y) / 2 - x / length * bend)
    return Curve(
      start: Self.border(of: a, towards: control), control: control,
      end: Self.border(of: b, towards: control))
  }

  /// Where the line from the centre of a box to a point leaves the box, with a little air.
  private static func border(of center: Point, towards point: Point) -> Point {
    let (x, y) = (point.x - center.x, point.y - center.y)
    let half = Point(x: box.x / 2 + 4, y: box.y / 2 + 4)
    let share = min(
      x == 0 ? .infinity : half.x / abs(x), y == 0 ? .infinity : half.y / abs(y), 1)
    return Point(x: center.x + x * share, y: center.y + y * share)
  }
}
