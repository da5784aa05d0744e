/// A command to the runner of GitHub's workflows: one line of output that becomes an annotation.
///
/// The one place where its syntax is written. Whatever values contain, they stay what they are, and
/// nothing can end the line or begin another command.
struct WorkflowCommand: Hashable, Sendable {
  enum Level: String, Sendable {
    case error, warning, notice
  }

  var level: Level
  var file: String?
  var line: Int?
  var column: Int?
  var title: String?
  var message: String

  /// With its line break.
  var text: String {
    let properties = [
      ("file", file), ("line", line.map(String.init)), ("col", column.map(String.init)),
      ("title", title),
    ].compactMap { name, value in
      // The runner does not take a property without a value.
      value.flatMap { $0.isEmpty ? nil : "\(name)=\(Self.escaped($0, alsoIn: ":,"))" }
    }
    let head = ([level.rawValue] + (properties.isEmpty ? [] : [properties.joined(separator: ",")]))
    return "::\(head.joined(separator: " "))::\(Self.escaped(message, alsoIn: ""))\n"
  }

  /// A percent sign and line breaks are always written as their number.
  private static func escaped(_ text: String, alsoIn others: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if "%\r\n".unicodeScalars.contains(scalar) || others.unicodeScalars.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result.append(contentsOf: "%\(digits.count < 2 ? "0" : "")\(digits)".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
