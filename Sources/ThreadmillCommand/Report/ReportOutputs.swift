import Foundation
import ThreadmillFormats
import ThreadmillModel
import ThreadmillReporting

/// The files that a command writes its report to, or `-` for standard output: one switch for each
/// format, the same for every command.
struct ReportOutputs: Hashable, Sendable {
  /// In the order of the formats.
  private let files: [File]

  private struct File: Hashable, Sendable {
    var format: ReportFormat
    var path: String
  }

  static let switches: [Switch] = ReportFormat.allCases.map { format in
    Switch(
      "--\(format.rawValue)", takes: .reportOutput, "Write to this file \(format.sentence)."
    )
    .under(.output)
  }

  init(_ arguments: Arguments) {
    files = ReportFormat.allCases.compactMap { format in
      arguments.values["--\(format.rawValue)"].map { File(format: format, path: $0) }
    }
  }

  /// Whether nothing is to be written.
  var isEmpty: Bool { files.isEmpty }

  /// Has watched processes record what some formats are made of.
  func tell(_ options: inout Options) {
    if files.contains(where: { $0.format == .dot }) { options.drawsLocks = true }
    if files.contains(where: { $0.format == .trace }) { options.records = true }
  }

  /// Each file is complete or as it was before.
  ///
  /// - Parameters:
  ///   - path: where JSON goes besides, if anywhere.
  ///   - isTold: whether people are told which of the files that they named were written.
  /// - Returns: what could not be written, all the others being written; to be thrown once all is
  ///   said.
  func write(
    _ report: Report, _ context: ReportContext, andTo path: String? = nil, _ console: Console,
    isTold: Bool = true
  ) -> WrongInput? {
    var failures: [String] = []
    for file in files + (path.map { [File(format: .json, path: $0)] } ?? []) {
      let bytes = file.format.bytes(of: report, context)
      if file.path == ReportOutputs.stream {
        console.say(String(decoding: bytes, as: UTF8.self))
      } else if let failure = Self.replace(file.path, with: bytes) {
        failures.append(failure)
      } else if isTold, file.path != path {
        console.complain("written: \(file.path.printable)\n")
      }
    }
    return failures.isEmpty ? nil : WrongInput(failures)
  }

  /// Returns why the file could not be written; `nil` if it was.
  private static func replace(_ path: String, with bytes: [UInt8]) -> String? {
    do throws(ReportFileError) {
      try ReportFile.replace(path, with: bytes)
      return nil
    } catch {
      return error.description
    }
  }

  fileprivate static let stream = "-"
}

extension Switch.Value {
  fileprivate static let reportOutput = Switch.Value(
    placeholder: output.placeholder,
    allowed: "\(output.allowed), or \(ReportOutputs.stream) for standard output"
  ) { $0 == ReportOutputs.stream || output.accepts($0) }
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
