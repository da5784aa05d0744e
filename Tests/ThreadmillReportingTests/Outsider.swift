import Foundation
import Testing
import ThreadmillChildren

/// Programs of others that read what Threadmill wrote; scripts/setup installs them.
enum Outsider {
  private static let limit: TimeInterval = 120

  /// What the program says of the file; it has to end well.
  ///
  /// - Parameters:
  ///   - arguments: made from the file's path and its folder.
  ///   - look: what else to look at in the folder, when the program has ended.
  static func run(
    _ program: String, on bytes: [UInt8], as name: String,
    _ arguments: (_ file: String, _ folder: URL) -> [String],
    then look: (_ folder: URL) throws -> Void = { _ in }
  ) async throws -> String {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file(name)
    try Data(bytes).write(to: file)
    let child = ChildProcess(
      executable: "/usr/bin/\(program)", arguments: arguments(file.path, directory.url),
      environment: ["PATH": "/usr/bin:/bin", "HOME": directory.url.path, "LC_ALL": "C.UTF-8"],
      limit: limit)
    let result = try await child.run()
    #expect(result.outcome == .exited(0), "\(result.standardError)")
    try look(directory.url)
    return result.standardOutput
  }

  /// What the program prints, as JSON.
  static func python<Answer: Decodable>(
    _ script: String, on bytes: [UInt8], as type: Answer.Type = Answer.self
  ) async throws -> Answer {
    let text = try await run("python3", on: bytes, as: "input") { file, _ in ["-c", script, file] }
    return try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
  }

  /// What the browser makes of a page with the script run, as text; the picture that it shows is
  /// handed to `look`.
  static func chromium(
    _ bytes: [UInt8], fragment: String = "", then look: (_ png: Data) throws -> Void = { _ in }
  ) async throws -> String {
    try await run("chromium", on: bytes, as: "page.html") { file, folder in
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--window-size=1280,2000", "--user-data-dir=\(folder.path)/chromium", "--dump-dom",
        "--screenshot=\(folder.path)/page.png", "file://\(file)#\(fragment)",
      ]
    } then: { folder in
      try look(Data(contentsOf: folder.appending(path: "page.png")))
    }
  }
}
