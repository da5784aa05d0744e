/// What somebody told Thread Sanitizer in `TSAN_OPTIONS`, as far as Threadmill has to respect it.
package struct SanitizerOptions: Sendable {
  /// The environment variable that carries them.
  package static let variable = "TSAN_OPTIONS"

  /// The flags in the order in which they stand; a later one wins.
  private let flags: [(name: String, value: String)]

  /// Reads them as the sanitizer does: `name=value`, separated by blanks, commas or colons; a value
  /// may stand in quotes.
  package init(parsing text: String) {
    var flags: [(String, String)] = []
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      rest = rest.drop(while: \.separatesFlags)
      let name = rest.prefix { $0 != "=" && !$0.separatesFlags }
      rest = rest[name.endIndex...]
      guard rest.first == "=" else { continue }
      rest.removeFirst()
      let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
      if quote != nil { rest.removeFirst() }
      let value = rest.prefix { scalar in quote.map { scalar != $0 } ?? !scalar.separatesFlags }
      rest = rest[value.endIndex...].dropFirst(quote == nil ? 0 : 1)
      flags.append((String(name), String(value)))
    }
    self.flags = flags
  }

  /// Whether it is to print and count its reports whatever anybody else makes of them: somebody
  /// chose where its text goes, its exit status, or that it ends the process at once or by a
  /// signal. What another file says is not known here.
  package var speaks: Bool {
    let own = ["log_path", "exitcode", "include", "include_if_exists"]
    let switches = ["halt_on_error", "abort_on_error", "log_to_syslog"]
    return flags.contains { own.contains($0.name) }
      || switches.contains { ["1", "true", "yes"].contains(value(of: $0)) }
  }

  /// Whether it looks at the accesses that functions make which it has taken over, but not where a
  /// library without instrumentation calls them. By default it looks at no such access.
  package var leavesOutLibraries: Bool {
    isOff("ignore_interceptors_accesses") && !isOff("ignore_noninstrumented_modules")
  }

  private func isOff(_ name: String) -> Bool {
    ["0", "false", "no"].contains(value(of: name))
  }

  private func value(of name: String) -> String? { flags.last { $0.name == name }?.value }
}

extension Unicode.Scalar {
  fileprivate var separatesFlags: Bool { " ,:\n\t\r".unicodeScalars.contains(self) }
}
