import Foundation
import ThreadmillSymbols

extension Executable {
  /// Reads the properties of the file at `path`.
  package init(examining path: String) {
    self.path = path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      content = .missing
      return
    }
    let parts =
      isFolder.boolValue
      ? nil : ELFFile.look(into: path) { Executable.Parts(of: $0, at: path) }
    content = parts.map { .program($0) } ?? .foreign
  }
}

extension Executable.Parts {
  fileprivate init(of image: ELFFile, at path: String) {
    isStatic = !image.isDynamic
    hasGate = image.hasSection(".note.threadmill")
    hasThreadSanitizer = image.defines("__tsan_init")
    hasSymbols = image.hasSection(".symtab")
    if hasGate, hasThreadSanitizer, hasSymbols {
      // The linker gives these names others where it wraps the accesses.
      wrapsAccesses = !["read8", "write8", "atomic64_load"].contains {
        image.asksFor("__real___tsan_\($0)")
      }
    }
    hasLines = image.hasSection(".debug_line")
    debugFile = Self.debugFiles(of: image, at: path)
      .first { FileManager.default.fileExists(atPath: $0) }
  }

  /// Returns the paths where debuggers look for debug information: beside the file under the name
  /// that `.gnu_debuglink` has, and by the build identifier.
  private static func debugFiles(of image: ELFFile, at path: String) -> [String] {
    var files: [String] = []
    let link = image.contents(".gnu_debuglink")
    if !link.isEmpty {
      let name = String(decoding: link.prefix { $0 != 0 }, as: UTF8.self)
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      files += ["\(folder)/\(name)", "\(folder)/.debug/\(name)", "/usr/lib/debug\(folder)/\(name)"]
    }
    // The note's head has 12 bytes, its owner "GNU" 4.
    let note = image.contents(".note.gnu.build-id")
    if note.count > 17 {
      let digits = note.dropFirst(16).map { byte in
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
      }
      let rest = digits.dropFirst().joined()
      files.append("/usr/lib/debug/.build-id/\(digits[0])/\(rest).debug")
    }
    return files
  }
}
