import Foundation

/// A part of a document that is made from the code: the text between `<!-- generated:NAME -->` and
/// `<!-- /generated:NAME -->`.
package struct GeneratedBlock {
  /// The document has lost the block's begin or end.
  package struct Lost: Error, CustomStringConvertible {
    package let description: String
  }

  /// The advice for a reader whose block is out of date.
  package static let advice = "write it as CONTRIBUTING.md says, and test again"

  /// Tests run side by side, and several have a block in one document.
  private static let oneAtATime = NSLock()

  /// Returns the text of the block. `THREADMILL_README=write` puts `wanted` there instead, which
  /// the next run then returns.
  package static func text(_ name: String, in document: String, wanted: String) throws -> String {
    oneAtATime.lock()
    defer { oneAtATime.unlock() }
    let file = Checkout.root.appending(path: document)
    let text = try String(contentsOf: file, encoding: .utf8)
    guard let from = text.range(of: "<!-- generated:\(name) -->\n"),
      let to = text[from.upperBound...].range(of: "\n<!-- /generated:\(name) -->")
    else { throw Lost(description: "\(document) has lost its block \(name)") }
    let found = String(text[from.upperBound..<to.lowerBound])
    if found != wanted, isWriting {
      let updated = text[..<from.upperBound] + wanted + text[to.lowerBound...]
      try String(updated).write(to: file, atomically: true, encoding: .utf8)
    }
    return found
  }

  /// Returns the text of a document that is made from the code as a whole; `nil` if there is none.
  /// `THREADMILL_README=write` writes `wanted` there.
  package static func document(_ document: String, wanted: String) throws -> String? {
    let file = Checkout.root.appending(path: document)
    let found = try? String(contentsOf: file, encoding: .utf8)
    if found != wanted, isWriting {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try wanted.write(to: file, atomically: true, encoding: .utf8)
    }
    return found
  }

  private static var isWriting: Bool {
    ProcessInfo.processInfo.environment["THREADMILL_README"] == "write"
  }
}
