import ThreadmillModel

extension Report {
  /// What a report tells people, the most severe first, otherwise in the order of the report.
  package var told: [Finding] { shown.filter { !$0.isExcused } }

  /// The same with what is known or suppressed, for formats that can say so.
  package var shown: [Finding] {
    let shown = findings.filter { $0.status != .filtered }
    return Finding.Severity.allCases.flatMap { severity in
      shown.filter { $0.severity == severity }
    }
  }
}

extension Backtrace {
  /// The innermost line of the user's own code.
  package var place: Frame? { first { !$0.isSystem && $0.hasLine } }
}

extension Frame {
  /// Whether it can be shown in a source file: line 0 is the compiler's own code.
  package var hasLine: Bool { file?.isEmpty == false && (line ?? 0) > 0 }
}

extension SharedObject {
  /// The line that made it, or that declares its variable.
  package var place: Frame? {
    created.place ?? variable.flatMap { $0.isSystem || !$0.hasLine ? nil : $0 }
  }
}

extension Finding.Participant {
  /// The line that tells most of its part: where it is, else where it last took something, else
  /// where its work came from.
  package var place: Frame? {
    frames.place ?? holds.lazy.reversed().compactMap(\.frames.place).first ?? submitted.place
  }

  /// `T3 "worker" writes 8 bytes`.
  package var sentence: String { "\(title) \(role)" }

  /// `T3 "worker"`.
  package var title: String { "\(thread)" + (threadName.map { " \"\($0)\"" } ?? "") }
}

extension Finding {
  /// The line to show it at, and to blame: that of its first thread, else that of what is known
  /// besides.
  package var place: Frame? {
    participants.lazy.compactMap(\.place).first ?? facts.lazy.compactMap(\.frames.place).first
      ?? objects.lazy.compactMap(\.place).first
  }
}
