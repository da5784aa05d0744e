import Foundation
import ThreadmillSymbols

extension ELFFile {
  /// Looks into the file at `path`, whose bytes are there until `body` returns; `nil` if it is no
  /// program or library for Linux with 64 bits.
  package static func look<Answer>(into path: String, _ body: (ELFFile) -> Answer) -> Answer? {
    let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    return bytes?.withUnsafeBytes { ELFFile($0).map(body) }
  }
}
