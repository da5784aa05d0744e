import ThreadmillReporting

/// Pieces of drawings. Everything that can be coloured is coloured by the style sheet.
enum SVG {
  typealias Point = GraphLayout.Point

  /// - Parameter label: what the drawing shows, for those who do not see it.
  static func drawing(width: Double, height: Double, label: String, _ content: [HTML]) -> HTML {
    .element(
      "svg",
      [
        .init("viewBox", "0 0 \(number(width)) \(number(height))"),
        .init("width", number(width)), .init("height", number(height)), .init("role", "img"),
        .init("aria-label", label),
      ], content)
  }

  static func group(_ style: String, title: String? = nil, _ content: [HTML]) -> HTML {
    .element(
      "g", [.init("class", style)], (title.map { [.element("title", [], $0)] } ?? []) + content)
  }

  static func box(
    _ style: String, at corner: Point, width: Double, height: Double, radius: Int = 8
  ) -> HTML {
    .element(
      "rect",
      [
        .init("class", style), .init("x", number(corner.x)), .init("y", number(corner.y)),
        .init("width", number(width)), .init("height", number(height)), .init("rx", "\(radius)"),
      ])
  }

  static func text(_ style: String, at point: Point, _ text: String) -> HTML {
    .element(
      "text",
      [.init("class", style), .init("x", number(point.x)), .init("y", number(point.y))], text)
  }

  static func line(_ style: String, from start: Point, to end: Point) -> HTML {
    .element("path", [.init("class", style), .init("d", "M\(pair(start)) L\(pair(end))")])
  }

  /// A curve with an arrow head at its end.
  static func arrow(_ style: String, _ curve: GraphLayout.Curve) -> [HTML] {
    let path = "M\(pair(curve.start)) Q\(pair(curve.control)) \(pair(curve.end))"
    return [
      .element("path", [.init("class", style), .init("d", path)]),
      head(style, at: curve.end, from: curve.control),
    ]
  }

  /// From a box's right side back to it.
  static func loop(_ style: String, from start: Point, to end: Point, reach: Double) -> [HTML] {
    let (near, far) = (
      Point(x: start.x + reach, y: start.y - reach / 3),
      Point(x: end.x + reach, y: end.y + reach / 3)
    )
    let path = "M\(pair(start)) C\(pair(near)) \(pair(far)) \(pair(end))"
    return [
      .element("path", [.init("class", style), .init("d", path)]), head(style, at: end, from: far),
    ]
  }

  private static func head(_ style: String, at tip: Point, from origin: Point) -> HTML {
    let (x, y) = (tip.x - origin.x, tip.y - origin.y)
    let length = max(1, (x * x + y * y).squareRoot())
    let (ux, uy) = (x / length * 9, y / length * 9)
    let left = Point(x: tip.x - ux - uy / 2, y: tip.y - uy + ux / 2)
    let right = Point(x: tip.x - ux + uy / 2, y: tip.y - uy - ux / 2)
    return .element(
      "path",
      [
        .init("class", "\(style) head"),
        .init("d", "M\(pair(tip)) L\(pair(left)) L\(pair(right)) Z"),
      ])
  }

  private static func pair(_ point: Point) -> String { "\(number(point.x)) \(number(point.y))" }

  /// In tenths, so that equal layouts give equal text on every machine.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let (whole, rest) = (tenths.magnitude / 10, tenths.magnitude % 10)
    return (tenths < 0 ? "-" : "") + "\(whole)" + (rest == 0 ? "" : ".\(rest)")
  }
}
