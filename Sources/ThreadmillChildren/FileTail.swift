import Foundation

/// What is added to a file, piece by piece.
struct FileTail {
  private static let lineBreak = UInt8(ascii: "\n")

  private let handle: FileHandle?
  /// The begin of a line that has no end yet.
  private var begun = Data()

  /// A file that cannot be read has nothing in it.
  init(_ file: URL) { handle = try? FileHandle(forReadingFrom: file) }

  /// The whole lines that have come since the last call; `nil` if none have.
  mutating func newLines() -> String? {
    begun += (try? handle?.readToEnd()) ?? Data()
    guard let end = begun.lastIndex(of: Self.lineBreak) else { return nil }
    let lines = begun[...end]
    begun = Data(begun[(end + 1)...])
    return String(decoding: lines, as: UTF8.self)
  }

  /// All that has come since the last call, whether its last line has an end or not.
  mutating func rest() -> String? {
    let lines = newLines() ?? ""
    let all = lines + String(decoding: begun, as: UTF8.self)
    begun = Data()
    return all.isEmpty ? nil : all
  }
}
