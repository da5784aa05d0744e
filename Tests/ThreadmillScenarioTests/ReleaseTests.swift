import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

@testable import ThreadmillCommand

/// `scripts/release` tags a version that is ready, and nothing else. Packages can depend on a tag.
@Suite(.disabled(if: isThreadSanitized, "no program of this build takes part"))
struct ReleaseTests {
  private static let version = Tool.version

  /// Something that keeps a version from being released.
  struct Obstacle: CustomTestStringConvertible, Sendable {
    /// The message without "release: ", and with `*` for the number of a line.
    var message: String
    /// What makes it in a copy of the checkout.
    var script: String
    var testDescription: String { message }
  }

  private static let commit = "git commit --quiet --all --message 'An obstacle'"
  private static let quoted = version.replacing(".", with: "\\.")

  static let obstacles = [
    Obstacle(message: "the working tree has changes.", script: "echo more >>README.md"),
    Obstacle(message: "the working tree has changes.", script: "echo new >new-file"),
    Obstacle(
      message: "releases are made on main, and this is topic.",
      script: "git switch --quiet --create topic"),
    Obstacle(
      message: "releases are made on main, and this is no branch.",
      script: "git switch --quiet --detach"),
    Obstacle(message: "the tag \(version) exists.", script: "git tag \(version)"),
    Obstacle(
      message: "the newest version in CHANGELOG.md is not \(version) with its date.",
      script: "sed -i 's/^## .\(quoted)./## [0.0.1]/' CHANGELOG.md; \(commit)"),
    Obstacle(
      message: "the newest version in CHANGELOG.md is not \(version) with its date.",
      script: "sed -i 's/^\\(## .\(quoted).\\).*/\\1/' CHANGELOG.md; \(commit)"),
    Obstacle(
      message: "the section of \(version) in CHANGELOG.md has no entries.",
      script: "sed -i '/^- /d' CHANGELOG.md; \(commit)"),
    Obstacle(
      message: "CHANGELOG.md has entries under Unreleased.",
      script: "sed -i '0,/^### Added/s//&\\n\\n- Something new./' CHANGELOG.md; \(commit)"),
    Obstacle(
      message: "threadmill --version says 0.0.1.",
      script: """
        sed -i 's/"\(quoted)"/"0.0.1"/' Sources/ThreadmillCommand/CommandLine/Tool.swift
        \(commit)
        """),
    Obstacle(
      message: "README.md:* names version 0.0.1.",
      script: "sed -i 's/from: \"\(quoted)\"/from: \"0.0.1\"/' README.md; \(commit)"),
    Obstacle(
      message: "README.md has no line for the dependency.",
      script: "sed -i '/from: \"\(quoted)\"/d' README.md; \(commit)"),
  ]

  @Test(arguments: obstacles) func itSaysWhatIsNotReady(_ obstacle: Obstacle) async throws {
    let copy = try await ReleaseCopy()
    defer { copy.remove() }
    try await copy.shell(obstacle.script)
    let tags = try await copy.shell("git tag --list")
    let result = try await copy.release([Self.version])
    #expect(result.outcome == .exited(1))
    let messages = result.standardError.matches(of: #/(?m)^release: (.*)$/#).map { match in
      String(match.1).replacing(#/README.md:\d+/#, with: "README.md:*")
    }
    #expect(messages == [obstacle.message])
    #expect(try await copy.shell("git tag --list") == tags)
  }

  @Test func itRefusesWrongUsage() async throws {
    let copy = try await ReleaseCopy()
    defer { copy.remove() }
    let version = Self.version
    for arguments in [[], ["0.1"], ["v\(version)"], ["--tag", version], [version, version]] {
      let result = try await copy.release(arguments)
      #expect(result.outcome == .exited(2), "\(arguments)")
      #expect(result.standardError.contains("usage: scripts/release [--check] VERSION"))
    }
    #expect(try await copy.shell("git tag --list") == "")
  }

  @Test func itTagsWithTheSectionOfTheChangelog() async throws {
    let copy = try await ReleaseCopy()
    defer { copy.remove() }
    let check = try await copy.release(["--check", Self.version])
    #expect(check.outcome == .exited(0), "\(check.standardError)")
    #expect(try await copy.shell("git tag --list") == "")
    let release = try await copy.release([Self.version])
    #expect(release.outcome == .exited(0), "\(release.standardError)")
    #expect(try await copy.shell("git cat-file -t \(Self.version)") == "tag\n")
    #expect(
      try await copy.shell("git rev-parse '\(Self.version)^{commit}'")
        == copy.shell("git rev-parse main"))
    let message = try await copy.shell(
      "git for-each-ref --format='%(contents)' refs/tags/\(Self.version)")
    #expect(
      message.trimmingCharacters(in: .newlines)
        == "Threadmill \(Self.version)\n\n\(try Self.section())")
  }

  /// The text of the version's section, without its heading.
  private static func section() throws -> String {
    let file = Checkout.root.appending(path: "CHANGELOG.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let sections = text.components(separatedBy: "\n## ")
    let section = try #require(sections.first { $0.hasPrefix("[\(version)]") })
    return section.drop { $0 != "\n" }.trimmingCharacters(in: .newlines)
  }

  /// SwiftPM refuses versions of packages with unsafe flags, unless their tools version is 6.2 or
  /// newer. Loading the manifest takes all products that users name; building takes the smallest.
  @Test func aPackageCanDependOnTheTag() async throws {
    let copy = try await ReleaseCopy()
    defer { copy.remove() }
    let release = try await copy.release([Self.version])
    #expect(release.outcome == .exited(0), "\(release.standardError)")
    let user = copy.directory.file("user")
    try write(Self.manifest(of: copy), to: user.appending(path: "Package.swift"))
    try write(Self.program, to: user.appending(path: "Sources/Shipped/main.swift"))
    try write("import Threadmill\n", to: user.appending(path: "Tests/WatchedTests/Empty.swift"))
    try await copy.shell("swift package --cache-path cache resolve", in: user)
    let resolved = try JSONDecoder().decode(
      Resolved.self, from: Data(contentsOf: user.appending(path: "Package.resolved")))
    #expect(
      resolved.pins.map { "\($0.identity) \($0.state.version ?? "?")" }
        == ["threadmill \(Self.version)"])
    try await copy.shell(
      "swift build --cache-path cache --build-system native --product Shipped", in: user)
    #expect(try await copy.shell(".build/debug/Shipped", in: user) == "2\n")
  }

  private struct Resolved: Decodable {
    struct Pin: Decodable {
      struct State: Decodable {
        var version: String?
      }

      var identity: String
      var state: State
    }

    var pins: [Pin]
  }

  private static let program = """
    import Dispatch
    import ThreadmillAnnotations

    let queue = DispatchQueue(label: "numbers")
    let numbers = Confined(to: queue) { [1, 2] }
    queue.sync { print(numbers.use { $0.count }) }

    """

  private static func manifest(of copy: ReleaseCopy) -> String {
    """
    // swift-tools-version: 6.1
    import PackageDescription

    let watching = ["Threadmill", "ThreadmillTesting", "ThreadmillXCTest"]
    let package = Package(
      name: "User",
      dependencies: [.package(url: "file://\(copy.folder.path)", from: "\(version)")],
      targets: [
        .executableTarget(
          name: "Shipped",
          dependencies: [.product(name: "ThreadmillAnnotations", package: "threadmill")]),
        .testTarget(
          name: "WatchedTests",
          dependencies: watching.map { .product(name: $0, package: "threadmill") }),
      ]
    )

    """
  }

  private func write(_ text: String, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
