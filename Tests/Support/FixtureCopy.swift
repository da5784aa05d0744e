import Foundation

/// A copy of a package under Tests/Fixtures, in a place that stays from run to run, so that what is
/// built there stays as well. Beside it, `threadmill` leads to this package, as the documents say.
enum FixtureCopy {
  static func folder(_ copy: String) -> URL { neighbourhood(copy).appending(path: "package") }

  private static func neighbourhood(_ copy: String) -> URL {
    Checkout.root.appending(path: ".build/fixtures/\(copy)")
  }

  /// Brings the copy up to date, and touches only files that have changed.
  static func update(_ copy: String, of name: String) throws {
    let original = Checkout.root.appending(path: "Tests/Fixtures/\(name)")
    let folder = folder(copy)
    let (new, old) = (files(in: original), files(in: folder))
    for file in Set(old.keys).subtracting(new.keys) {
      try FileManager.default.removeItem(at: folder.appending(path: file))
    }
    for (file, text) in new where old[file] != text {
      let target = folder.appending(path: file)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: target)
    }
    let link = neighbourhood(copy).appending(path: "threadmill").path
    let root = Checkout.root.path
    guard (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != root else { return }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: root)
  }

  /// The contents of all files but hidden ones, by their paths in the folder.
  private static func files(in folder: URL) -> [String: Data] {
    let names = FileManager.default.enumerator(atPath: folder.path)
    var found: [String: Data] = [:]
    for case let name as String in names ?? .init() {
      if name.hasPrefix(".") {
        names?.skipDescendants()
      } else if let text = try? Data(contentsOf: folder.appending(path: name)) {
        found[name] = text
      }
    }
    return found
  }
}
