import ThreadmillModel
import ThreadmillReporting

/// What each thread took, one after the other, up to the moment of the finding: a lane for each.
///
/// A report has no times, so a step to the right is one more thing that the thread did; steps of
/// different threads have nothing to do with each other but for the last.
struct TimelineDrawing {
  private let participants: [Finding.Participant]
  private let names: FindingNames
  /// The longest list of holds.
  private let steps: Int

  private static let label = 120.0
  private static let width = 640.0
  private static let bar = 24.0
  private static let gap = 5.0
  private static let margin = 12.0
  /// The share of the last step, which all have.
  private static let moment = 186.0
  /// The greatest numbers of lanes, and of bars in a lane; the rest is left out.
  private static let mostLanes = 16
  private static let mostBars = 8

  /// `nil` where there is nothing to see but that threads wait.
  init?(_ participants: [Finding.Participant], _ names: FindingNames) {
    let acts = participants.contains { $0.wants == nil } && participants.count > 1
    guard acts || participants.contains(where: { !$0.holds.isEmpty }) else { return nil }
    self.participants = participants
    self.names = names
    steps = min(Self.mostBars, participants.map(\.holds.count).max() ?? 0)
  }

  static let caption = """
    Each lane is one thread, from left to right in the order in which it took what it holds. Lengths \
    mean nothing, and only the last step is common to all.
    """

  var leftOut: Int { max(0, participants.count - Self.mostLanes) }

  var html: HTML {
    var y = Self.margin
    var beds: [HTML] = []
    var lanes: [HTML] = []
    for index in participants.indices.prefix(Self.mostLanes) {
      let height = self.height(of: participants[index])
      beds.append(SVG.box("bed", at: .init(x: 0, y: y), width: Self.width, height: height))
      lanes.append(lane(index, top: y, height: height))
      y += height + Self.margin
    }
    let x = Self.width - Self.margin - Self.moment
    let line = SVG.line("now", from: .init(x: x, y: 2), to: .init(x: x, y: y - 2))
    return SVG.drawing(
      width: Self.width, height: y,
      label: "Order of events: " + participants.indices.map(words).joined(separator: "; "),
      beds + [line] + lanes)
  }

  private func words(_ index: Int) -> String {
    let participant = participants[index]
    let taken = participant.holds.map { "takes \(names.name($0.object))" }
    return ([names.name(of: index)] + taken + [last(of: participant)]).joined(separator: ", ")
  }

  private func last(of participant: Finding.Participant) -> String {
    participant.wants.map { "waits for \(names.name($0))" } ?? participant.role
  }

  /// A row for each hold, and one for what it does at last.
  private func height(of participant: Finding.Participant) -> Double {
    Self.top(of: min(Self.mostBars, participant.holds.count) + 1)
  }

  private static func top(of row: Int) -> Double { gap + Double(row) * (bar + gap) }

  private func lane(_ index: Int, top: Double, height: Double) -> HTML {
    let participant = participants[index]
    let right = Self.width - Self.margin
    let end = right - Self.moment
    let step = (end - Self.label) / Double(max(1, steps))
    var content = heading(of: participant, middle: top + height / 2)
    for (place, held) in participant.holds.prefix(Self.mostBars).enumerated() {
      let corner = GraphLayout.Point(
        x: Self.label + Double(place) * step,
        y: top + Self.top(of: place))
      content.append(
        bar(
          "\(names.colour(held.object)) held", "\(names.name(held.object)), held", corner,
          width: right - corner.x, room: end - corner.x))
    }
    let row = min(Self.mostBars, participant.holds.count)
    let corner = GraphLayout.Point(x: end + 6, y: top + Self.top(of: row))
    let style = participant.wants.map { "\(names.colour($0)) waits" } ?? "does"
    content.append(
      bar(style, last(of: participant), corner, width: Self.moment - 12, room: Self.moment - 12))
    return SVG.group("lane", content)
  }

  /// The thread, and below it its name.
  private func heading(of participant: Finding.Participant, middle: Double) -> [HTML] {
    let name = participant.threadName ?? ""
    let who = SVG.text(
      "who", at: .init(x: Self.margin, y: middle + (name.isEmpty ? 5 : -2)),
      participant.thread.description)
    guard !name.isEmpty else { return [who] }
    let point = GraphLayout.Point(x: Self.margin, y: middle + 13)
    return [who, SVG.text("place", at: point, FindingNames.short(name, 16))]
  }

  private func bar(
    _ style: String, _ text: String, _ corner: GraphLayout.Point, width: Double, room: Double
  ) -> HTML {
    SVG.group(
      style, title: text,
      [
        SVG.box("bar", at: corner, width: width, height: Self.bar, radius: 5),
        SVG.text(
          "name", at: .init(x: corner.x + 8, y: corner.y + 16),
          FindingNames.short(text, max(3, Int((room - 14) / 6.6)))),
      ])
  }
}
