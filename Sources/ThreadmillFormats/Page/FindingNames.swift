import ThreadmillModel
import ThreadmillReporting

/// What the drawings of one finding call its threads and objects, and in which colour they show
/// them.
struct FindingNames {
  /// How many colours the style sheet has for objects.
  static let colours = 6

  private let objects: [LockID: SharedObject]
  private let places: [LockID: Int]
  private let participants: [Finding.Participant]
  private let text: TextReport

  init(
    _ finding: Finding, _ participants: [Finding.Participant], _ text: TextReport
  ) {
    self.participants = participants
    self.text = text
    objects = Dictionary(finding.objects.map { ($0.id, $0) }) { first, _ in first }
    var order = finding.objects.map(\.id)
    for participant in participants {
      order += participant.holds.map(\.object) + [participant.wants].compactMap(\.self)
    }
    var places: [LockID: Int] = [:]
    for id in order where places[id] == nil { places[id] = places.count }
    self.places = places
  }

  /// The class of the style sheet that gives an object its colour.
  func colour(_ id: LockID) -> String { "o\((places[id] ?? 0) % Self.colours)" }

  /// `mutex L1`, `serial queue "bank"`.
  func name(_ id: LockID) -> String {
    guard let object = objects[id] else { return id.description }
    if object.isNamedByProperty { return object.displayName }
    if let label = object.label, !label.isEmpty { return "\(object.kind.noun) \"\(label)\"" }
    return "\(object.kind.noun) \(id)"
  }

  /// The file and line that made it, without folders; `nil` where nobody knows.
  func origin(_ id: LockID) -> String? {
    objects[id]?.place.flatMap { text.place(of: $0) }.map(Self.lastPart)
  }

  /// `T3 "worker"`.
  func name(of participant: Int) -> String {
    let participant = participants[participant]
    return "\(participant.thread)" + (participant.threadName.map { " \"\($0)\"" } ?? "")
  }

  /// `T3, T4 and 7 more`.
  func names(of threads: [Int]) -> String {
    var seen: Set<ThreadID> = []
    let distinct = threads.filter { seen.insert(participants[$0].thread).inserted }
    guard distinct.count > 1 else { return distinct.first.map(name) ?? "" }
    let shown = distinct.prefix(3).map { participants[$0].thread.description }
    let rest = distinct.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func lastPart(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// At most so many characters, the last of them … if that is not all. What changes the direction
  /// of writing is shown as its number, since a drawing has no end for it.
  static func short(_ text: String, _ limit: Int) -> String {
    let start = text.prefix(limit + 1)
    return String(start.count > limit ? start.dropLast(2) + "…" : start).printable
  }

  /// The same for the place of a line, whose end says most.
  static func shortPlace(_ text: String, _ limit: Int) -> String {
    let end = text.suffix(limit + 1)
    return String(end.count > limit ? "…" + end.dropFirst(2) : end).printable
  }
}
