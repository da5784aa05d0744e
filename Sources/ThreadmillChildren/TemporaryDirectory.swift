import Foundation

/// A new, empty folder that only this user can look into; whoever made it removes it, with `defer`,
/// on every path.
package struct TemporaryDirectory: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "threadmill-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The name of a file in it.
  package func file(_ name: String) -> URL { url.appending(path: name) }

  /// Removes it with all that is in it; one that cannot be removed is litter and fails no test.
  package func remove() { try? FileManager.default.removeItem(at: url) }
}
