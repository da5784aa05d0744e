import Foundation
import ThreadmillSymbols

extension ELFFile {
  /// Calls `body` with the file at `path`, whose bytes are valid until `body` returns. Returns
  /// `nil` if the file is no program or library for 64-bit Linux.
  package static func look<Answer>(into path: String, _ body: (ELFFile) -> Answer) -> Answer? {
    let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    return bytes?.withUnsafeBytes { ELFFile($0).map(body) }
  }
}
