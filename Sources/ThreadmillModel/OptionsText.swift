extension Options {
  /// The words that lead to these options when they are parsed: those that differ from the
  /// defaults.
  package var text: String {
    Self.table.compactMap { entry in
      guard let value = entry.read(self), value != entry.fallback else { return nil }
      return "\(entry.name)=\(Self.quoted(value))"
    }.joined(separator: " ")
  }

  private static func quoted(_ value: String) -> String {
    guard value.utf8.contains(where: { $0 <= 0x20 || $0 == 0x22 }) else { return value }
    var escaped = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
      escaped.append(scalar)
    }
    return "\"\(String(escaped))\""
  }
}
