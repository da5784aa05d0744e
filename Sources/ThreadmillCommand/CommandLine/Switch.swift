import Foundation

/// One `--switch` of a command.
package struct Switch: Sendable {
  /// With its dashes.
  package let name: String
  /// `nil` if it stands alone.
  package let value: Value?
  /// Whether it may be given more than once.
  package let isRepeatable: Bool
  /// One sentence.
  package let sentence: String
  /// The heading under which `--help` lists the switch.
  package private(set) var topic = Topic.choice

  /// The headings of `--help`, in this order.
  package enum Topic: String, CaseIterable, Sendable {
    case choice = "what to run"
    case search = "what to look for"
    case chance = "how to disturb and repeat"
    case judgement = "what counts"
    case output = "where to write"
  }

  /// The value of a switch, in `--name VALUE` or `--name=VALUE`.
  package struct Value: Sendable {
    /// The word for the value in `--help`: `PATH`.
    package let placeholder: String
    /// The allowed values, for error messages.
    package let allowed: String
    package let accepts: @Sendable (String) -> Bool

    /// A name of a file; one with a zero byte would be cut by every system call.
    package static let path = Value(placeholder: "PATH", allowed: "a path") {
      !$0.isEmpty && !$0.utf8.contains(0)
    }

    /// A file to write. It is checked before the work begins, which may take minutes.
    package static let output = Value(
      placeholder: "PATH", allowed: "a file, not a folder, where the folder exists and is yours"
    ) {
      guard path.accepts($0) else { return false }
      let file = URL(fileURLWithPath: $0)
      // A link, a device or a pipe is never replaced: better said now than after the run.
      let kind = try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
      return kind ?? true
        && access(file.deletingLastPathComponent().path, W_OK | X_OK) == 0
    }

    package init(
      placeholder: String, allowed: String, accepts: @escaping @Sendable (String) -> Bool
    ) {
      self.placeholder = placeholder
      self.allowed = allowed
      self.accepts = accepts
    }
  }

  package init(
    _ name: String, takes value: Value? = nil, isRepeatable: Bool = false, _ sentence: String
  ) {
    self.name = name
    self.value = value
    self.isRepeatable = isRepeatable
    self.sentence = sentence
  }

  /// Returns the switch under another heading.
  func under(_ topic: Topic) -> Switch {
    var result = self
    result.topic = topic
    return result
  }

  /// As it is typed: `--executable PATH`.
  package var form: String { value.map { "\(name) \($0.placeholder)" } ?? name }
}
