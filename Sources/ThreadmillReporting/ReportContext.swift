import ThreadmillModel

/// What a format needs to know besides the report, all of it from outside: formats read no files
/// and ask for no folder.
package struct ReportContext: Sendable {
  /// Paths below this folder are written relative to it; `nil` writes them as they are.
  package var folder: String?
  /// What runs all of it again, as it would be typed.
  package var command: String?
  /// What runs again that which showed one finding; `nil` where nothing but ``command`` does.
  package var repetition: @Sendable (Finding) -> String? = { _ in nil }
  /// The lines of a source file; `nil` where there is none to be had.
  package var source: @Sendable (_ path: String) -> [String]?

  package init(
    folder: String? = nil, command: String? = nil,
    source: @escaping @Sendable (_ path: String) -> [String]? = { _ in nil }
  ) {
    self.folder = folder
    self.command = command
    self.source = source
  }

  /// What shows the finding again, as it would be typed.
  package func command(for finding: Finding) -> String? { repetition(finding) ?? command }

  /// The folder with one slash at its end.
  package var root: String? {
    guard var folder, !folder.isEmpty else { return nil }
    while folder.hasSuffix("/") { folder.removeLast() }
    return folder + "/"
  }

  /// A path as a report shows it: relative to the folder if it lies below that.
  package func path(of file: String) -> String {
    guard let root, file.hasPrefix(root), file.utf8.count > root.utf8.count else { return file }
    return String(file.dropFirst(root.count))
  }
}
