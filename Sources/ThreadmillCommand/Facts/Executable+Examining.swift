import Foundation

extension Executable {
  /// Looks into the file at `path`.
  package init(examining path: String) {
    self.path = path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      content = .missing
      return
    }
    guard !isFolder.boolValue, let image = ELFImage(contentsOf: path) else {
      content = .foreign
      return
    }
    content = .program(Parts(of: image, at: path))
  }
}

extension Executable.Parts {
  fileprivate init(of image: ELFImage, at path: String) {
    isStatic = !image.isDynamic
    hasGate = image.hasSection(".note.threadmill")
    hasThreadSanitizer = image.defines("__tsan_init")
    hasSymbols = image.hasSection(".symtab")
    hasLines = image.hasSection(".debug_line")
    debugFile = Self.debugFiles(of: image, at: path)
      .first { FileManager.default.fileExists(atPath: $0) }
  }

  /// Where debuggers look: beside the file under the name that it gives, and by the build's number.
  private static func debugFiles(of image: ELFImage, at path: String) -> [String] {
    var files: [String] = []
    if let link = image.content(of: ".gnu_debuglink") {
      let name = String(decoding: link.prefix { $0 != 0 }, as: UTF8.self)
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      files += ["\(folder)/\(name)", "\(folder)/.debug/\(name)", "/usr/lib/debug\(folder)/\(name)"]
    }
    // The note's head has 12 bytes, its owner "GNU" 4.
    if let note = image.content(of: ".note.gnu.build-id"), note.count > 17 {
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
