import Foundation

extension MachineFacts.Toolchain {
  /// The toolchain of the `swift` on the path.
  static func find(_ programs: ProgramFinder, architecture: String) -> Self? {
    guard let swift = programs.path(of: "swift"),
      let answer = output(of: swift, ["-print-target-info"], programs),
      let info = TargetInfo(answer)
    else { return nil }
    return Self(
      version: info.version, root: info.root,
      sanitizerRuntime: sanitizerRuntime(in: info.root, architecture: architecture),
      buildSystem: output(of: swift, ["build", "--help"], programs)
        .flatMap(defaultBuildSystem))
  }

  private static func output(
    of program: String, _ arguments: [String], _ programs: ProgramFinder
  ) -> String? {
    guard let result = programs.run(program, arguments), result.outcome == .exited(0) else {
      return nil
    }
    return result.output
  }

  /// Both ways in which clang lays out the folder of its runtimes.
  private static func sanitizerRuntime(in root: String, architecture: String) -> String? {
    let clang = "\(root)/lib/clang"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: clang)) ?? []
    return versions.sorted().flatMap { version in
      [
        "\(clang)/\(version)/lib/linux/libclang_rt.tsan-\(architecture).a",
        "\(clang)/\(version)/lib/\(architecture)-unknown-linux-gnu/libclang_rt.tsan.a",
      ]
    }.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// What the help of `swift build` calls the default of `--build-system`.
  package static func defaultBuildSystem(in help: String) -> String? {
    guard let start = help.range(of: "--build-system <")?.upperBound else { return nil }
    let name = help[start...].firstMatch(of: #/\(default: (\w+)\)/#)?.output.1
    return name.map(String.init)
  }
}

/// What `swift -print-target-info` says, as far as it matters.
package struct TargetInfo: Hashable, Sendable {
  package let version: String
  /// The folder that has `bin` and `lib`.
  package let root: String

  /// `nil` for a text that is not understood.
  package init?(_ text: String) {
    struct Answer: Decodable {
      struct Paths: Decodable {
        var runtimeResourcePath: String
      }

      var compilerVersion: String
      var paths: Paths
    }
    // Before the answer there may be a line of the compiler's about something else.
    guard let start = text.firstIndex(of: "{"),
      let answer = try? JSONDecoder().decode(Answer.self, from: Data(text[start...].utf8)),
      let version = answer.compilerVersion.firstMatch(of: #/Swift version (\d+(\.\d+)*)/#)
    else { return nil }
    self.version = String(version.output.1)
    root =
      URL(fileURLWithPath: answer.paths.runtimeResourcePath)
      .deletingLastPathComponent().deletingLastPathComponent().path
  }
}
