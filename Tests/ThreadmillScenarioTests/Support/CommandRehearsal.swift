import Foundation
import ThreadmillChildren
import ThreadmillTestSupport

/// Types commands in a shell in which every program only notes its arguments.
struct CommandRehearsal {
  /// One call of a program.
  struct Call: Hashable {
    var program: String
    /// The value of `THREADMILL_OPTIONS`.
    var options: String
    var words: [String]

    /// The arguments of `threadmill`, called directly or by `swift run`; `nil` for other programs.
    var toolsWords: [String]? {
      if program == "threadmill" { return words }
      guard program == "swift", words.first == "run" else { return nil }
      guard let tool = words.firstIndex(of: "threadmill") else { return [] }
      return Array(words[(tool + 1)...])
    }
  }

  /// The calls of one command, as the shell made them.
  struct Outcome {
    var calls: [Call]
    /// The shell's own errors, for example about an unknown program.
    var complaint: String
  }

  private let directory: TemporaryDirectory
  private var place: URL { directory.file("package") }
  private var programs: URL { directory.file("bin") }

  /// Programs outside of this project that the documents call.
  private static let others = [
    "clang", "swift", "swiftc", "threadmill", "git", "kubectl", "cat", "cut", "find", "sha256sum",
    "sort",
  ]

  /// Notes a call in one write: the programs of a pipeline note theirs at the same time.
  private static let note = """
    #!/bin/bash
    printf '%s\\0' "${0##*/}" "${THREADMILL_OPTIONS-}" "$@" $'\\1' >>"$NOTES"

    """

  init() throws {
    directory = try TemporaryDirectory()
    let files = FileManager.default
    for folder in [
      "bin", "package/campaign", "threadmill/scripts/campaigns/recipes", "threadmill/scripts/lib",
      "threadmill/.github/actions/threadmill",
    ] {
      try files.createDirectory(at: directory.file(folder), withIntermediateDirectories: true)
    }
    let program = programs.appending(path: "program")
    try Data(Self.note.utf8).write(to: program)
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    let links =
      Self.others.map { "bin/\($0)" } + (try CommandAccount.scripts()).map { "threadmill/\($0)" }
      + ["package/server"]
    for link in links {
      try files.createSymbolicLink(at: directory.file(link), withDestinationURL: program)
    }
    try files.createSymbolicLink(
      atPath: place.appending(path: "scripts").path, withDestinationPath: "../threadmill/scripts")
  }

  func remove() { directory.remove() }

  func outcome(of command: String) async throws -> Outcome {
    let notes = directory.file("notes")
    try Data().write(to: notes)
    let child = ChildProcess(
      executable: "/bin/bash", arguments: ["-c", Self.prepared(command)],
      environment: [
        "PATH": programs.path, "NOTES": notes.path, "GITHUB_STEP_SUMMARY": "summary",
        "GITHUB_ACTION_PATH": directory.file("threadmill/.github/actions/threadmill").path,
        "GITHUB_OUTPUT": "/dev/null", "GITHUB_PATH": "/dev/null", "THREADMILL": "0.1.0",
        "GITHUB_RUN_ID": "7", "GITHUB_RUN_NUMBER": "1", "JOB_COMPLETION_INDEX": "0",
      ], folder: place.path, limit: Program.limit)
    let result = try await child.run()
    let noted = try String(contentsOf: notes, encoding: .utf8)
    let calls = noted.components(separatedBy: "\u{1}\0").dropLast().map { call in
      let words = call.components(separatedBy: "\0").dropLast()
      return Call(program: words[0], options: words[1], words: Array(words.dropFirst(2)))
    }
    return Outcome(calls: calls, complaint: result.standardError)
  }

  /// Returns the command, with values for what this shell lacks: expressions of a workflow, and
  /// folders of other machines.
  private static func prepared(_ command: String) -> String {
    command.replacing("${{ matrix.shard }}/${{ strategy.job-total }}", with: "3/8")
      .replacing("\"$shard/8\"", with: "3/8")
      .replacing(#/\$\{\{[^}]*\}\}/#, with: "3")
      .replacing("/campaign/shard", with: "shard")
      .replacing("/tmp/threadmill", with: "../threadmill")
  }
}
