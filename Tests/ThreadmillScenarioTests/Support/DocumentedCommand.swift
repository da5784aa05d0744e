import Foundation
import ThreadmillCommand
import ThreadmillTestSupport

/// A command that a document tells its reader to type, or that a recipe runs.
struct DocumentedCommand: Hashable, Sendable {
  /// Its text, with continued lines joined, and without comments.
  var text: String
  /// The path of the document, relative to the checkout.
  var document: String

  /// Returns all commands, in the order in which they are read.
  static func all() throws -> [DocumentedCommand] {
    try documents().flatMap { document in
      try commands(in: document).map { DocumentedCommand(text: $0, document: document) }
    }.filter { !$0.isNoMoreThanAName }
  }

  /// Whether the text is no command of its own: the name of a command, a file that is no script, or
  /// options without a program.
  private var isNoMoreThanAName: Bool {
    let file = Checkout.root.appending(path: text)
    let isScript = FileManager.default.isExecutableFile(atPath: file.path) && !file.isFolder
    return Command.table.contains { text == "threadmill \($0.name)" }
      || FileManager.default.fileExists(atPath: file.path) && !isScript
      || text.wholeMatch(of: #/THREADMILL_OPTIONS=("[^"]*"|\S*)/#) != nil
  }

  /// Returns the paths of the documents for users and contributors, and of the recipes.
  static func documents() throws -> [String] {
    let folders = ["Sources/Threadmill/Documentation.docc", "scripts/campaigns/recipes", ".github"]
    let found = try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(
        atPath: Checkout.root.appending(path: folder).path
      ).sorted().map { "\(folder)/\($0)" }
    }
    return [
      "README.md", "CONTRIBUTING.md", "Scenarios/README.md", "scripts/campaigns/README.md",
    ] + found.filter { !Checkout.root.appending(path: $0).isFolder }
  }

  private static func commands(in document: String) throws -> [String] {
    let text = try String(
      contentsOf: Checkout.root.appending(path: document), encoding: .utf8)
    switch URL(filePath: document).pathExtension {
    case "md": return MarkdownCommands.all(in: text)
    case "yml", "yaml": return comments(in: text) + RecipeCommands.all(in: text)
    default: return comments(in: text)
    }
  }

  /// Returns the commands in the first comment of a recipe or script: lines with three spaces after
  /// `#`.
  private static func comments(in text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let head = lines.prefix { $0.hasPrefix("#") || $0.isEmpty }
    let shown = head.filter { $0.hasPrefix("#   ") }.map { String($0.dropFirst(4)) }
    return ShellLines.joined(shown)
  }
}

/// Joins lines of a shell into commands.
enum ShellLines {
  /// Returns the commands. A line that ends with a backslash goes on; text after a `#` is dropped.
  static func joined(_ lines: [String]) -> [String] {
    var commands: [String] = []
    var isOpen = false
    for line in lines {
      let code = line.replacing(#/(^|\s+)#.*$/#, with: "")
        .trimmingCharacters(in: .whitespaces)
      let goesOn = code.hasSuffix("\\")
      let part = (goesOn ? String(code.dropLast()) : code).trimmingCharacters(in: .whitespaces)
      if isOpen, let last = commands.indices.last {
        commands[last] += " \(part)"
      } else if !part.isEmpty {
        commands.append(part)
      }
      isOpen = goesOn
    }
    return commands
  }
}

extension URL {
  fileprivate var isFolder: Bool {
    (try? resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
  }
}
