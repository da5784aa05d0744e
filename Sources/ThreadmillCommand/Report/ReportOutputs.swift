import Foundation
import ThreadmillModel
import ThreadmillReporting

/// The files that a command writes its report to: one switch for each format, the same for every
/// command.
struct ReportOutputs: Hashable, Sendable {
  /// In the order of the formats.
  private let files: [File]

  private struct File: Hashable, Sendable {
    var format: ReportFormat
    var path: String
  }

  static let switches: [Switch] = ReportFormat.allCases.map { format in
    Switch("--\(format.rawValue)", takes: .output, "Write \(format.sentence) to this file.")
  }

  init(_ arguments: Arguments) {
    files = ReportFormat.allCases.compactMap { format in
      arguments.values["--\(format.rawValue)"].map { File(format: format, path: $0) }
    }
  }

  /// Whether nothing is to be written.
  var isEmpty: Bool { files.isEmpty }

  /// Each file is complete or as it was before.
  func write(_ report: Report, _ context: ReportContext) throws {
    for file in files {
      try ReportFile.replace(file.path, with: file.format.bytes(of: report, context))
    }
  }
}

extension ReportContext {
  /// That of a command which runs here: paths relative to `folder`, sources from the disk.
  static func here(
    folder: String = FileManager.default.currentDirectoryPath, command: String? = nil
  ) -> ReportContext {
    let files = SourceFiles(folder: folder)
    return ReportContext(folder: folder, command: command) { files.lines(of: $0) }
  }
}
