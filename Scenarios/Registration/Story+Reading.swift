import Foundation

extension Story {
  /// - Parameter file: the path of a scenario's file.
  package init(file: String) throws(Untold) {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw .noFile(path: file)
    }
    try self.init(source: text)
  }

  /// - Parameter source: the text of a scenario's file.
  package init(source: String) throws(Untold) {
    let outline = SourceOutline(source.split(separator: "\n", omittingEmptySubsequences: false))
    guard let home = outline.declarations.first(where: { $0.name == "Scenario" }),
      let scenario = home.members.first(where: { $0.head.first?.contains("= Scenario(") == true })
    else { throw .lacks("`static let … = Scenario(…)`") }

    let paragraphs = Self.paragraphs(scenario.comments)
    guard let title = paragraphs.first else { throw .lacks("doc comment") }
    self.title = title
    parts = try Self.parts(paragraphs.dropFirst())

    let bodies = Self.bodies(scenario.head)
    let neighbours = home.members.filter { $0 != scenario }.map { $0.moved(left: 2) }
    let others = outline.declarations.filter { $0 != home && !$0.isImport }
    programs = Usage(bodies: bodies, helpers: neighbours + others).programs
    for variant in [Scenario.Variant.flawed, .repaired] where programs[variant] == nil {
      throw .lacks("`\(variant.rawValue):` at the begin of a line")
    }
  }

  private static func paragraphs(_ comments: [Substring]) -> [String] {
    let lines = comments.map { $0.drop { $0 == " " || $0 == "/" } }
    return lines.split(whereSeparator: \.isEmpty).map { $0.joined(separator: " ") }
  }

  private static func parts(_ paragraphs: ArraySlice<String>) throws(Untold) -> [Part] {
    var parts: [Part] = []
    for paragraph in paragraphs {
      if let match = paragraph.wholeMatch(of: #/\*\*(.+?)\.\*\* (.+)/#) {
        parts.append(Part(heading: String(match.1), paragraphs: [String(match.2)]))
      } else if let last = parts.popLast() {
        parts.append(Part(heading: last.heading, paragraphs: last.paragraphs + [paragraph]))
      } else {
        throw .lacks("bold heading before \"\(paragraph)\"")
      }
    }
    return parts
  }

  /// The code of each variant's argument; a correct program counts for both twins.
  private static func bodies(_ call: [Substring]) -> [Scenario.Variant: [Substring]] {
    var arguments: [(label: Substring, lines: [Substring])] = []
    for line in call.dropFirst() {
      if let label = line.prefixMatch(of: #/ {4}(\w+): ?/#) {
        arguments.append((label.1, [line[label.range.upperBound...]]))
      } else if !arguments.isEmpty {
        arguments[arguments.count - 1].lines.append(line)
      }
    }
    var bodies: [Scenario.Variant: [Substring]] = [:]
    for (index, argument) in arguments.enumerated() {
      var lines = argument.lines
      // A comma, or the parenthesis that ends the call.
      if let last = lines.popLast() {
        let isLast = index == arguments.count - 1
        lines.append(isLast || last.hasSuffix(",") ? last.dropLast() : last)
      }
      let code = content(of: lines)
      if argument.label == "correct" {
        (bodies[.flawed], bodies[.repaired]) = (code, code)
      } else if let variant = Scenario.Variant(rawValue: String(argument.label)) {
        bodies[variant] = code
      }
    }
    return bodies
  }

  /// The statements of a closure; whatever else stands for a body, as it is.
  private static func content(of argument: [Substring]) -> [Substring] {
    guard let first = argument.first, first.hasPrefix("{") else { return argument }
    if argument.count == 1, first.hasSuffix("}") {
      let statement = first.dropFirst().dropLast()
      return [Substring(statement.trimmingPrefix(" ").reversed().trimmingPrefix(" ").reversed())]
    }
    return argument.dropFirst().dropLast().map { $0.moved(left: 6) }
  }
}

extension Substring {
  /// Without so many blanks at its begin, as far as it has them.
  fileprivate func moved(left count: Int) -> Substring {
    dropFirst(Swift.min(count, prefix { $0 == " " }.count))
  }
}

extension SourceOutline.Declaration {
  fileprivate var isImport: Bool { head.first?.hasPrefix("import ") == true }

  fileprivate func moved(left count: Int) -> Self {
    var result = self
    result.comments = comments.map { $0.moved(left: count) }
    result.head = head.map { $0.moved(left: count) }
    result.members = members.map { $0.moved(left: count) }
    result.foot = foot.map { $0.moved(left: count) }
    return result
  }
}
