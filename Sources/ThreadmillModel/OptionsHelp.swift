extension Options {
  /// The table for people: one line for what is written, one for what it means.
  package static var help: String {
    var lines = [
      "\(variable): name=value, separated by spaces; a value with spaces in double quotes"
    ]
    for entry in table {
      lines.append("  \(entry.name)=\(entry.placeholder) (default: \(entry.fallback ?? "none"))")
      lines.append("      \(entry.sentence)")
    }
    return lines.joined(separator: "\n")
  }
}
