/// The orders for a process that has to turn one lock order cycle into a deadlock.
package struct SteeringPlan: Hashable, Sendable {
  /// The environment variable that carries it to a process; the process takes it out again.
  package static let variable = "THREADMILL_STEERING"

  /// A place in code, the same in every process of one program.
  package struct Place: Hashable, Sendable {
    /// The image's file name; empty for the program itself.
    package var image: String
    /// From the image's start.
    package var offset: UInt64

    package init(image: String, offset: UInt64) {
      self.image = image
      self.offset = offset
    }
  }

  /// Where one thread of the cycle took what it holds, and where it takes the next, innermost
  /// frames first.
  package struct Edge: Hashable, Sendable {
    /// Empty for the main queue, which the main thread has from the beginning.
    package var outer: [Place]
    package var inner: [Place]
    /// So many threads pass there before one is held.
    package var skipped: Int

    package init(outer: [Place], inner: [Place], skipped: Int = 0) {
      self.outer = outer
      self.inner = inner
      self.skipped = skipped
    }
  }

  /// Each thread waits for what the next one holds, the last for the first.
  package var edges: [Edge]
  /// How long a thread is held for the others.
  package var milliseconds: Int
  /// Where the process works; `nil` for where it was started.
  package var folder: String?
  /// The path of the file that says what came of it.
  package var report: String

  package init(edges: [Edge], milliseconds: Int, folder: String? = nil, report: String) {
    self.edges = edges
    self.milliseconds = milliseconds
    self.folder = folder
    self.report = report
  }
}

// One thing in each line: `folder PATH`, `report PATH`, `hold MILLISECONDS`, `image NAME`, and two
// lines for each edge, `outer SKIPPED IMAGE+OFFSET …` and `inner IMAGE+OFFSET …`. Images are
// counted from 0, offsets hexadecimal.
extension SteeringPlan {
  /// `nil` if a path has a line break in it, which nobody could tell from the next line.
  package var text: String? {
    let places: [Place] = edges.flatMap { $0.outer + $0.inner }
    let paths = Set(places.map(\.image)).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(paths, 0...))
    let isBroken = (paths + [report, folder ?? ""]).contains { path in
      path.utf8.contains(UInt8(ascii: "\n"))
    }
    if isBroken { return nil }
    func words(_ places: [Place]) -> String {
      places.map { " \(numbers[$0.image, default: 0])+\(String($0.offset, radix: 16))" }.joined()
    }
    var lines: [String] = []
    if let folder { lines.append("folder \(folder)") }
    lines += ["report \(report)", "hold \(milliseconds)"]
    lines += paths.map { "image \($0)" }
    for edge in edges {
      lines += ["outer \(edge.skipped)\(words(edge.outer))", "inner\(words(edge.inner))"]
    }
    return lines.joined(separator: "\n")
  }

  /// Reads what ``text`` wrote; `nil` for anything else.
  package init?(parsing text: String) {
    self.init(edges: [], milliseconds: 0, report: "")
    var images: [String] = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? String(parts[1]) : ""
      switch parts[0] {
      case "folder": folder = value
      case "report": report = value
      case "hold":
        guard let number = Int(value) else { return nil }
        milliseconds = number
      case "image": images.append(value)
      case "outer":
        let words = value.split(separator: " ")
        guard let skipped = words.first.flatMap({ Int($0) }),
          let places = Self.places(words.dropFirst(), in: images)
        else { return nil }
        edges.append(Edge(outer: places, inner: [], skipped: skipped))
      case "inner":
        guard !edges.isEmpty, let places = Self.places(value.split(separator: " ")[...], in: images)
        else { return nil }
        edges[edges.count - 1].inner = places
      default: return nil
      }
    }
  }

  private static func places(_ words: ArraySlice<Substring>, in images: [String]) -> [Place]? {
    var places: [Place] = []
    for word in words {
      let parts = word.split(separator: "+")
      guard parts.count == 2, let image = Int(parts[0]), images.indices.contains(image),
        let offset = UInt64(parts[1], radix: 16)
      else { return nil }
      places.append(Place(image: images[image], offset: offset))
    }
    return places
  }
}
