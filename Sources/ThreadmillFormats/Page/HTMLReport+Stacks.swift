import ThreadmillModel
import ThreadmillReporting

/// Threads side by side, the user's own frames first.
extension HTMLReport {
  private static let linesAround = 2
  private static let longestLine = 400

  func columns(
    _ participants: [Finding.Participant], _ finding: Finding, _ names: FindingNames
  ) -> HTML {
    var seen: Set<ThreadID> = []
    let columns = participants.enumerated().map { index, participant in
      let again = seen.insert(participant.thread).inserted ? "" : finding.secondPart
      return column(participant, names.name(of: index) + again, finding.kind, names)
    }
    return .element("div", [.init("class", "columns")], columns)
  }

  private func column(
    _ participant: Finding.Participant, _ name: String, _ kind: Finding.Kind, _ names: FindingNames
  ) -> HTML {
    var content: [HTML] = [
      .element(
        "p", [.init("class", "role"), .init("dir", "auto")],
        [.element("strong", [], name), .text(" " + participant.role)])
    ]
    if let words = TextReport.words(on: participant) {
      content.append(.element("p", [.init("class", "hint")], "runs on \(words)"))
    }
    for held in participant.holds {
      let mode = held.mode == .shared ? " (shared)" : ""
      content += [label("took", held.object, mode, names), stack(held.frames)]
    }
    let isElsewhere = !participant.holds.isEmpty || !participant.submitted.isEmpty
    if let wants = participant.wants {
      content += [label("waits for", wants, "", names), stack(participant.frames)]
    } else if !participant.frames.isEmpty || !isElsewhere {
      content += [label(kind.stackLabel), stack(participant.frames)]
    }
    let isNews = participant.holds.allSatisfy { $0.frames != participant.submitted }
    if isNews, participant.submitted.firstUserFrame != nil {
      content += [label("submitted at"), stack(participant.submitted)]
    }
    return .element("section", [.init("class", "column")], content)
  }

  private func label(_ words: String) -> HTML {
    .element("p", [.init("class", "label")], words)
  }

  private func label(_ words: String, _ id: LockID, _ rest: String, _ names: FindingNames) -> HTML {
    .element(
      "p", [.init("class", "label")],
      [
        .text(words + " "),
        .element("span", [.init("class", "object \(names.colour(id))")], names.name(id)),
        .text(rest),
      ])
  }

  /// The user's frames, each run of others folded between them, and the source around the first.
  func stack(_ stack: Backtrace) -> HTML {
    guard !stack.isEmpty else {
      return .element("p", [.init("class", "hint")], "No stack was recorded.")
    }
    let hasLines = stack.contains { !$0.isSystem && $0.line != nil }
    let isUsers = { (frame: Frame) in !frame.isSystem && (!hasLines || frame.line != nil) }
    let hasUsers = stack.contains(where: isUsers)
    var items: [HTML] = []
    var rest = stack[...]
    if !hasUsers {
      items = rest.prefix(TextReport.systemFramesShown).map(item)
      rest = rest.dropFirst(TextReport.systemFramesShown)
    }
    var isFirst = true
    while let frame = rest.first {
      let folded = rest.prefix { !isUsers($0) }
      if folded.isEmpty {
        items.append(item(frame, quoted: isFirst))
        isFirst = false
        rest.removeFirst()
      } else {
        items.append(fold(folded))
        rest = rest[folded.endIndex...]
      }
    }
    return .element("ol", [.init("class", "stack")], items)
  }

  private func item(_ frame: Frame) -> HTML { item(frame, quoted: false) }

  private func item(_ frame: Frame, quoted: Bool) -> HTML {
    let place = text.place(of: frame) ?? frame.image
    var content: [HTML] = [
      .element("span", [.init("class", "function"), .init("dir", "auto")], frame.nameWithOffset)
    ]
    if let place { content.append(path(place)) }
    if quoted, let source = source(at: frame) { content.append(source) }
    return .element("li", [.init("class", frame.isSystem ? "system" : "own")], content)
  }

  /// A path can be broken behind each of its folders.
  func path(_ text: String) -> HTML {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let content = parts.enumerated().flatMap { index, part in
      index == parts.count - 1
        ? [HTML.text(String(part))] : [.text("\(part)/"), .element("wbr")]
    }
    return .element("span", [.init("class", "place")], content)
  }

  private func fold(_ frames: Backtrace.SubSequence) -> HTML {
    let images = Set(frames.compactMap(\.image)).sorted()
    let place = images.isEmpty ? "" : " in \(images.joined(separator: ", "))"
    return .element(
      "li", [.init("class", "fold")],
      [
        .element(
          "details", [],
          [
            .element("summary", [], TextReport.plural(frames.count, "frame") + place),
            .element("ol", [.init("class", "stack")], frames.map(item)),
          ])
      ])
  }

  private func source(at frame: Frame) -> HTML? {
    guard let quote = SourceQuote(frame, context, around: Self.linesAround) else { return nil }
    // A longer line is one that a machine wrote.
    let lines = quote.lines.filter { $0.length <= Self.longestLine }
    guard lines.contains(where: \.isPlace) else { return nil }
    let rows = lines.map { line -> HTML in
      var code: [HTML] = [.text(line.before)]
      if !line.marked.isEmpty { code.append(.element("mark", [], line.marked)) }
      code.append(.text(line.after))
      return .element(
        "div", [.init("class", line.isPlace ? "here" : "")],
        [
          .element("span", [.init("class", "number")], String(line.number)),
          .element("code", [], code),
        ])
    }
    return .element("div", [.init("class", "source")], rows)
  }

  func fact(_ fact: Finding.Fact) -> HTML {
    .element(
      "li", [],
      [.element("p", [.init("dir", "auto")], fact.text)]
        + (fact.frames.isEmpty ? [] : [stack(fact.frames)]))
  }

  /// An object with its creation; the stack of that is folded.
  func object(_ object: SharedObject, _ names: FindingNames) -> HTML {
    let chip = HTML.element(
      "span", [.init("class", "object \(names.colour(object.id))")], names.name(object.id))
    let number = object.label == nil ? "" : "\(object.id) "
    if let variable = object.variable {
      let hint = HTML.element("span", [.init("class", "hint")], "\(variable.name), ")
      return .element(
        "li", [], [chip, hint, path(text.place(of: variable) ?? "declared at an unknown place")])
    }
    guard !object.isNamedByProperty else { return .element("li", [], [chip]) }
    guard !object.created.isEmpty else {
      return .element(
        "li", [], [chip, .element("span", [.init("class", "hint")], "\(number)creation not seen")])
    }
    let place = object.created.first { !$0.isSystem && $0.line != nil }.flatMap(text.place(of:))
    return .element(
      "li", [],
      [
        .element(
          "details", [],
          [
            .element(
              "summary", [],
              [
                chip, .element("span", [.init("class", "hint")], "\(number)created at "),
                path(place ?? "the following stack"),
              ]),
            stack(object.created),
          ])
      ])
  }
}
