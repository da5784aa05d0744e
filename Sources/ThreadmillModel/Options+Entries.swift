/// Entries of the table, by the type of the option's value.
extension Options.Entry {
  static func path(
    _ name: String, _ field: WritableKeyPath<Options, String?> & Sendable, _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: "PATH", allowed: ["a path"], sentence: sentence,
      read: { $0[keyPath: field] },
      write: { options, text in
        // A path with a zero byte would be cut by every system call.
        guard !text.isEmpty, !text.utf8.contains(0) else { return false }
        options[keyPath: field] = text
        return true
      })
  }

  static func boolean(
    _ name: String, _ field: WritableKeyPath<Options, Bool> & Sendable, _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: "true|false", allowed: ["true", "false"], sentence: sentence,
      read: { String($0[keyPath: field]) },
      write: { options, text in
        guard let value = Bool(text) else { return false }
        options[keyPath: field] = value
        return true
      })
  }

  static func kinds(
    _ name: String, _ field: WritableKeyPath<Options, Set<Finding.Kind>> & Sendable,
    _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: "KIND,…", allowed: Finding.Kind.allCases.map(\.rawValue),
      sentence: sentence,
      read: { options in
        let kinds = options[keyPath: field].map(\.rawValue).sorted()
        return kinds.isEmpty ? nil : kinds.joined(separator: ",")
      },
      write: { options, text in
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let kinds = words.compactMap { Finding.Kind(rawValue: String($0)) }
        guard kinds.count == words.count else { return false }
        options[keyPath: field] = Set(kinds)
        return true
      })
  }

  static func number(
    _ name: String, _ field: WritableKeyPath<Options, Int> & Sendable, in range: ClosedRange<Int>,
    placeholder: String, _ sentence: String
  ) -> Self {
    number(
      name, in: range, placeholder: placeholder, sentence, read: { $0[keyPath: field] },
      write: { $0[keyPath: field] = $1 })
  }

  /// A number that is unset by default.
  static func number(
    _ name: String, _ field: WritableKeyPath<Options, Int?> & Sendable, in range: ClosedRange<Int>,
    placeholder: String, _ sentence: String
  ) -> Self {
    number(
      name, in: range, placeholder: placeholder, sentence, read: { $0[keyPath: field] },
      write: { $0[keyPath: field] = $1 })
  }

  private static func number(
    _ name: String, in range: ClosedRange<Int>, placeholder: String, _ sentence: String,
    read: @escaping @Sendable (Options) -> Int?,
    write: @escaping @Sendable (inout Options, Int) -> Void
  ) -> Self {
    Self(
      name: name, placeholder: placeholder,
      allowed: ["a whole number from \(range.lowerBound) to \(range.upperBound)"],
      sentence: sentence,
      read: { read($0).map(String.init) },
      write: { options, text in
        guard let value = Int(text), range.contains(value) else { return false }
        write(&options, value)
        return true
      })
  }

  static func seed(
    _ name: String, _ field: WritableKeyPath<Options, Seed?> & Sendable, _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: "N", allowed: ["a whole number from 0 to \(UInt64.max)"],
      sentence: sentence,
      read: { $0[keyPath: field]?.description },
      write: { options, text in
        guard let value = UInt64(text) else { return false }
        options[keyPath: field] = Seed(rawValue: value)
        return true
      })
  }

  static func schedule(
    _ name: String, _ field: WritableKeyPath<Options, Schedule?> & Sendable, _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: "SCHEDULE", allowed: ["a schedule, which begins with tm1: to tm4:"],
      sentence: sentence,
      read: { $0[keyPath: field]?.description },
      write: { options, text in
        guard let value = try? Schedule(parsing: text) else { return false }
        options[keyPath: field] = value
        return true
      })
  }

  static func lines(
    _ name: String, _ field: WritableKeyPath<Options, [CodeLine]> & Sendable, _ sentence: String
  ) -> Self {
    Self(
      name: name, placeholder: "FILE:LINE,…",
      allowed: ["up to \(Options.mostLines) lines FILE:LINE, separated by commas"],
      sentence: sentence,
      read: { options in
        let lines = options[keyPath: field].map(\.description)
        return lines.isEmpty ? nil : lines.joined(separator: ",")
      },
      write: { options, text in
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let lines = words.compactMap { CodeLine($0) }
        guard lines.count == words.count, lines.count <= Options.mostLines,
          Set(lines).count == lines.count
        else { return false }
        options[keyPath: field] = lines
        return true
      })
  }

  static func choice<Value>(
    _ name: String, _ field: WritableKeyPath<Options, Value> & Sendable, _ sentence: String
  ) -> Self where Value: CaseIterable & RawRepresentable & Sendable, Value.RawValue == String {
    let allowed = Value.allCases.map(\.rawValue)
    return Self(
      name: name, placeholder: allowed.joined(separator: "|"), allowed: allowed,
      sentence: sentence,
      read: { $0[keyPath: field].rawValue },
      write: { options, text in
        guard let value = Value(rawValue: text) else { return false }
        options[keyPath: field] = value
        return true
      })
  }
}
