import ThreadmillModel

extension TextReport {
  /// How many frames of a stack are named in which none is the user's.
  package static let systemFramesShown = 6

  /// For each thread who it is and what it does; then where it took what it holds, where it is, and
  /// where the block that it runs came from. A queue is held from its block's submission on.
  func addThreads(of finding: Finding, to layout: inout TextLayout, apart: Bool) {
    let besides = Set(finding.objects.filter(finding.isBesides).map(\.id))
    var threads: Set<ThreadID> = []
    for participant in finding.participants {
      if apart { layout.blank() }
      let name = participant.threadName.map { " \"\($0)\"" } ?? ""
      let isNew = threads.insert(participant.thread).inserted
      let again = isNew ? "" : finding.secondPart
      layout.text("\(participant.thread)\(name)\(again) \(participant.role)", indent: 2)
      if let words = Self.words(on: participant) {
        layout.row("runs on", words, group: .stacks, indent: 4)
      }
      var shown = participant
      shown.holds.removeAll { besides.contains($0.object) }
      addStacks(of: shown, labelled: finding.kind.stackLabel, to: &layout)
    }
  }

  /// One line of source is quoted for each thread: that of its place.
  private func addStacks(
    of participant: Finding.Participant, labelled label: String, to layout: inout TextLayout
  ) {
    let isQuoted = participant.frames.place != nil
    let quotedHold = isQuoted ? nil : participant.holds.lastIndex { $0.frames.place != nil }
    for (index, held) in participant.holds.enumerated() {
      let mode = held.mode == .shared ? " (shared)" : ""
      addStack(
        held.frames, "took \(held.object)\(mode)", quotes: index == quotedHold, to: &layout)
    }
    let label = participant.wants.map { "waits for \($0)" } ?? label
    let isElsewhere = !participant.holds.isEmpty || !participant.submitted.isEmpty
    if !participant.frames.isEmpty || !isElsewhere || participant.wants != nil {
      addStack(participant.frames, label, quotes: isQuoted, to: &layout)
    }
    let isNews = participant.holds.allSatisfy { $0.frames != participant.submitted }
    if isNews, participant.submitted.firstUserFrame != nil {
      addStack(
        participant.submitted, "submitted at", quotes: !isQuoted && quotedHold == nil, to: &layout)
    }
  }

  /// The threads of the run that was steered into the cycle. If a schedule led there, its table
  /// shows them, at the places of the cycle's own threads.
  func addDeadlock(of finding: Finding, to layout: inout TextLayout) {
    guard let threads = finding.confirmation?.deadlock, !threads.isEmpty, finding.story == nil
    else { return }
    layout.blank()
    layout.text(
      "Confirmed: a run that was steered there deadlocked; the threads are those of that run",
      indent: 2)
    let deadlock = Finding(
      kind: .deadlock, status: .observed, title: "", participants: threads)
    addThreads(of: deadlock, to: &layout, apart: true)
  }

  /// The facts, each with its place.
  func addCircumstances(of finding: Finding, to layout: inout TextLayout, apart: Bool) {
    for fact in finding.facts {
      if apart { layout.blank() }
      layout.text(fact.text, indent: 2)
      if !fact.frames.isEmpty { addStack(fact.frames, "at", to: &layout) }
    }
  }

  /// One row for a frame of the user's, one for a run of library frames between two of them, so
  /// that the first row is the user's own. Below the stack's place stands its line of source, if
  /// wanted.
  private func addStack(
    _ stack: Backtrace, _ label: String, quotes: Bool = false, to layout: inout TextLayout
  ) {
    var (label, quoted) = (label, quotes ? stack.place : nil)
    func add(_ layout: inout TextLayout, _ place: String, _ function: String? = nil) {
      if let function {
        layout.row(label, place, function, group: .stacks, indent: 4)
      } else {
        layout.row(label, place, group: .stacks, indent: 4)
      }
      label = ""
    }
    if stack.isEmpty { add(&layout, "(no stack was recorded)") }
    if stack.firstUserFrame == nil {
      for frame in stack.prefix(Self.systemFramesShown) {
        add(&layout, place(of: frame) ?? frame.image ?? "", frame.nameWithOffset)
      }
    }
    for piece in stack.pieces {
      switch piece {
      case .folded(let frames): add(&layout, Self.fold(frames))
      case .frame(let frame):
        let isNamed = frame.function != nil || frame.file == nil
        add(&layout, place(of: frame) ?? "(no line)", isNamed ? frame.nameWithOffset : nil)
        guard frame == quoted else { continue }
        addQuote(of: frame, to: &layout)
        quoted = nil
      }
    }
  }

  /// `… 4 frames in libdispatch.so, Foundation`.
  private static func fold(_ frames: Backtrace.SubSequence) -> String {
    var images: [String] = []
    for case let image? in frames.map(\.image) where !images.contains(image) {
      images.append(image)
    }
    let place = images.isEmpty ? "" : " in \(images.joined(separator: ", "))"
    return "… \(plural(frames.count, "frame"))\(place)"
  }

  /// `Bank.swift:12`, or `nil` when nobody knows the file.
  package func place(of frame: Frame) -> String? {
    guard let file = frame.file else { return nil }
    let path = context.path(of: file)
    return frame.line.map { "\(path):\($0)" } ?? path
  }

  private func addQuote(of frame: Frame, to layout: inout TextLayout) {
    for line in SourceQuote(frame, context)?.text ?? [] {
      layout.row("", line, group: .stacks, indent: 4)
    }
  }
}

extension Backtrace {
  fileprivate enum Piece {
    case frame(Frame)
    case folded(SubSequence)
  }

  /// The user's frames, and the library's frames between them as one piece. What the compiler has
  /// put between two frames of one image is left out, and so is what lies outside of the user's
  /// outermost frame, or inside of the innermost one.
  fileprivate var pieces: [Piece] {
    let withLines = Set(lazy.filter { !$0.isSystem && $0.line != nil }.map(\.image))
    // In an image that has lines, a frame without one is a thunk or library code that was inlined.
    let users = indices.filter {
      !self[$0].isSystem && (self[$0].line != nil || !withLines.contains(self[$0].image))
    }
    var pieces: [Piece] = []
    for (place, index) in users.enumerated() {
      if place > 0 {
        let between = self[users[place - 1]..<index].dropFirst()
        let image = self[index].image
        if between.contains(where: { $0.image != image }) { pieces.append(.folded(between)) }
      }
      pieces.append(.frame(self[index]))
    }
    return pieces
  }
}

extension Finding {
  /// Whether an object has no part in it: a queue that a thread merely runs on, which nobody waits
  /// for and whose beginning nobody saw.
  package func isBesides(_ object: SharedObject) -> Bool {
    let holds = participants.flatMap(\.holds).filter { $0.object == object.id }
    return object.kind == .serialQueue && object.created.isEmpty && !holds.isEmpty
      && holds.allSatisfy(\.frames.isEmpty) && !participants.contains { $0.wants == object.id }
  }
}

extension Frame {
  /// The function, with the offset where it is all that tells where in it.
  package var nameWithOffset: String {
    guard let function, file == nil, let offset else { return name }
    return "\(function)+0x\(String(offset, radix: 16))"
  }
}
