import Foundation
import Synchronization

/// Source files by their lines, each read once: a report of many findings quotes few files.
final class SourceFiles: Sendable {
  /// No source is longer; a path from a report could name anything.
  static let largest = 16 << 20

  private let folder: URL
  private let files = Mutex<[String: [String]?]>([:])

  /// - Parameter folder: where relative paths begin.
  init(folder: String) { self.folder = URL(fileURLWithPath: folder) }

  /// `nil` for what cannot be read, and for what is no ordinary file.
  func lines(of path: String) -> [String]? {
    files.withLock { files in
      if let known = files[path] { return known }
      let lines = read(URL(fileURLWithPath: path, relativeTo: folder))
      files[path] = .some(lines)
      return lines
    }
  }

  private func read(_ file: URL) -> [String]? {
    let values = try? file.resolvingSymlinksInPath()
      .resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
    guard values?.isRegularFile == true, let size = values?.fileSize, size <= Self.largest,
      let data = try? Data(contentsOf: file)
    else { return nil }
    return data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
  }
}
