import Foundation
import ThreadmillSymbols

/// A program that can be watched by preloading, or that has Threadmill linked into it.
package struct WatchableProgram: Hashable, Sendable {
  package var path: String
  /// Whether Threadmill is linked into it.
  package var hasGate: Bool { kind == .watched }
  /// Whether it has Swift's runtime. If not, the backtraces of that runtime are switched off.
  package var isSwift: Bool { kind != .plain }
  private let kind: Kind

  private enum Kind: Hashable {
    case plain, swift, watched
  }

  /// The number of interpreters that may run each other, before a script counts as endless.
  private static let deepest = 4

  /// Finds the program that a shell would start for `word`, and checks whether it can be watched.
  /// For a script, its interpreter is checked.
  package init(_ word: String, environment: [String: String]) throws(Unwatchable) {
    let isPath = word.contains("/")
    let found = isPath ? word : ProgramFinder(environment: environment).path(of: word)
    guard let found else { throw .missing(word, onPath: true) }
    path = found
    kind = try Self.kind(found, environment, depth: 0)
  }

  private static func kind(
    _ path: String, _ environment: [String: String], depth: Int
  ) throws(Unwatchable) -> Kind {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .missing(path, onPath: false)
    }
    if isFolder.boolValue { throw .folder(path) }
    guard access(path, X_OK) == 0 else { throw .notExecutable(path) }
    if let interpreter = interpreter(of: path) {
      if depth == deepest { throw .endless(path) }
      do throws(Unwatchable) {
        let program = try found(interpreter, environment)
        return try kind(program, environment, depth: depth + 1)
      } catch { throw .script(path, error) }
    }
    if let how = privilege(of: path) { throw .privileged(path, how: how) }
    return try kind(ofImage: path)
  }

  private static func kind(ofImage path: String) throws(Unwatchable) -> Kind {
    let kind = ELFFile.look(into: path) { image in
      Result { () throws(Unwatchable) in try Self.kind(of: image, path) }
    }
    guard let kind else { throw .foreign(path) }
    return try kind.get()
  }

  private static func kind(of image: ELFFile, _ path: String) throws(Unwatchable) -> Kind {
    if image.machine != ownMachine { throw .otherMachine(path) }
    guard image.isDynamic else { throw .fullyStatic(path) }
    if let loader = image.loader, !loader.contains("/ld-linux") {
      throw .otherLoader(path, loader: loader)
    }
    if image.hasSection(".note.threadmill") { return .watched }
    let names = Data(image.contents(".dynstr"))
    let loads = { (library: String) in names.range(of: Data(library.utf8)) != nil }
    if image.defines("__tsan_init") || loads("libtsan.so") || loads("libclang_rt.tsan") {
      throw .sanitized(path)
    }
    let isSwift = image.hasSection("swift5_type_metadata") || loads("libswiftCore")
    return isSwift ? .swift : .plain
  }

  /// Returns the words after `#!`; `nil` if the file is no script.
  private static func interpreter(of path: String) -> [String]? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let head = try? file.read(upToCount: 256), head.starts(with: Array("#!".utf8)) else {
      return nil
    }
    let line = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" }
    return words.isEmpty ? nil : words.map(String.init)
  }

  /// Returns the path of the interpreter, or of the program that `env` finds.
  private static func found(
    _ words: [String], _ environment: [String: String]
  ) throws(Unwatchable) -> String {
    guard words[0].hasSuffix("/env"),
      let name = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") })
    else { return words[0] }
    guard let path = ProgramFinder(environment: environment).path(of: name) else {
      throw .missing(name, onPath: true)
    }
    return path
  }

  /// Returns the reason why the program has other rights than its caller; `nil` if it has not.
  private static func privilege(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    if status.st_mode & S_ISUID != 0 { return "is set-uid" }
    if status.st_mode & S_ISGID != 0 { return "is set-gid" }
    return hasCapabilities(path) ? "has file capabilities" : nil
  }

  /// Returns whether the file has capabilities. Finds `getxattr` by name, as Swift does not import
  /// it.
  private static func hasCapabilities(_ path: String) -> Bool {
    typealias Ask =
      @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int)
      -> Int
    guard let function = dlsym(nil, "getxattr") else { return false }
    return unsafeBitCast(function, to: Ask.self)(path, "security.capability", nil, 0) > 0
  }

  /// The number that ELF gives to the kind of machine that this runs on.
  private static var ownMachine: UInt64 {
    #if arch(arm64)
      183
    #else
      62
    #endif
  }
}
