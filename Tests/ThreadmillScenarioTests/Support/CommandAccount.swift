import Foundation
import ThreadmillTestSupport

/// A command of the documents, and how it is tested.
struct CommandAccount: Hashable, Sendable {
  enum How: Hashable, Sendable {
    /// ``TypedCommandTests`` types it. It ends with one of these statuses, and leaves these files.
    case typed([Int32], leaves: [String] = [])
    /// A suite of tests, a script or a step of CI runs it, perhaps with other numbers.
    case elsewhere(String)
    /// The command is not run, for this reason.
    case never(String)
    /// The text is no command: only the begin of one, or its form with placeholders.
    case form
  }

  var text: String
  var how: How

  private init(_ text: String, _ how: How) {
    self.text = text
    self.how = how
  }

  static let table = adopting + reporting + running + contributing + recipes

  private static let tool = "swift run --package-path ../threadmill threadmill"
  private static let installs = How.never(
    "builds everything for release; InstalledToolTests try what it puts in place")
  private static let clones = How.never("clones from an address that the reader puts in")

  /// Commands that a new user types.
  private static let adopting = [
    CommandAccount(
      "scripts/scenarios", .never("two builds; VerifyProgramTests type what it types")),
    CommandAccount("scripts/test", .elsewhere(".github/workflows/test.yml")),
    CommandAccount("scripts/install", installs),
    CommandAccount("git clone https://github.com/OWNER/threadmill", clones),
    CommandAccount("cd threadmill", .form),
    CommandAccount(tool, .form),
    CommandAccount("swift test", .elsewhere("FixtureTests")),
    CommandAccount("threadmill scenarios run hammer-and-saw", .elsewhere("ReadmeTests")),
    CommandAccount(
      "threadmill scenarios run hammer-and-saw --variant harmful", .typed([1])),
    CommandAccount("threadmill scenarios run ID", .elsewhere("StoryProgramTests")),
    CommandAccount(
      "THREADMILL_OPTIONS=\"report=threadmill.json\" swift test", .elsewhere("SwiftTestTests")),
    CommandAccount("threadmill run -- ./server --port 8080", .typed([1])),
    CommandAccount(
      "threadmill test --sarif threadmill.sarif", .typed([1], leaves: ["threadmill.sarif"])),
    CommandAccount(
      "threadmill test --html threadmill.html", .typed([1], leaves: ["threadmill.html"])),
    CommandAccount("threadmill test --confirm", .typed([1])),
    CommandAccount("threadmill test --explore", .elsewhere("ExploredTestsTests")),
    CommandAccount(
      "threadmill test --explore --isolate --filter Bank", .elsewhere("IsolatedTestsTests")),
    CommandAccount("threadmill test --sanitize thread", .elsewhere("StrangerTests")),
    CommandAccount("threadmill replay TEST SCHEDULE", .form),
    CommandAccount(
      "threadmill explore -- ./selftest --quick", .elsewhere("ExploreProgramTests")),
    CommandAccount("threadmill explore --schedule SCHEDULE -- ./selftest --quick", .form),
    CommandAccount(
      "threadmill test --explore --towards Bank.swift:12,Bank.swift:40",
      .elsewhere("ConfirmedTestsTests")),
    CommandAccount(
      "threadmill explore --towards cache.c:12,cache.c:40 -- ./selftest --quick",
      .elsewhere("ExploreProgramTests")),
    CommandAccount(
      "clang -g -fsanitize=address \(checks("-mllvm")) selftest.c -o selftest",
      .elsewhere("AddressSanitizedTests")),
    CommandAccount(
      "swiftc -g -sanitize=address \(checks("-Xllvm")) selftest.swift",
      .elsewhere("AddressSanitizedTests")),
    CommandAccount(
      "swift build --sanitize=address \(checks("-Xswiftc -Xllvm -Xswiftc"))",
      .never("a build of a package; AddressSanitizedTests give the compiler these options")),
    CommandAccount(
      "swiftc -g -sanitize=thread selftest.swift $(threadmill link)",
      .elsewhere("LinkedProgramTests")),
    CommandAccount(
      "clang -g -fsanitize=thread -c selftest.c", .elsewhere("LinkedProgramTests")),
    CommandAccount(
      "swiftc -sanitize=thread selftest.o -o selftest $(threadmill link)",
      .elsewhere("LinkedProgramTests")),
    CommandAccount(
      "THREADMILL_ONLY=none swift build --sanitize=thread --scratch-path .build/tsan"
        + " $(threadmill link)",
      .never("a build of a package; LinkedProgramTests give the compiler these switches")),
    CommandAccount(
      "threadmill doctor --executable ./selftest", .elsewhere("LinkedProgramTests")),
    CommandAccount("threadmill link --accesses", .form),
    CommandAccount("THREADMILL_ONLY=none", .form),
    CommandAccount("swift package", .form),
    CommandAccount("swift build", .form),
  ]

  /// The options that have Address Sanitizer check each access by a call.
  private static func checks(_ word: String) -> String {
    "\(word) -asan-instrumentation-with-call-threshold=0 \(word) -asan-opt=0"
  }

  /// Commands that work on findings: reports and baselines.
  private static let reporting = [
    CommandAccount(
      "threadmill report threadmill.json --baseline known.txt --update-baseline",
      .typed([0], leaves: ["known.txt"])),
    CommandAccount("threadmill report threadmill.json --baseline known.txt", .typed([0])),
    CommandAccount(
      "threadmill test --baseline known.txt --update-baseline",
      .typed([1], leaves: ["known.txt"])),
    CommandAccount("threadmill test --baseline known.txt", .typed([0])),
    CommandAccount(
      "threadmill test --json report.json", .typed([1], leaves: ["report.json"])),
    CommandAccount("threadmill report report.json", .typed([1])),
    CommandAccount("threadmill report shards/*.json", .elsewhere("ReportCommandTests")),
  ]

  /// Commands for failures that are rare.
  private static let running = [
    CommandAccount("threadmill test --repeat 50", .typed([1])),
    CommandAccount(
      "threadmill test --filter BankTests.BankTests/testTransfers --jitter heavy "
        + "--seed 15286087158416158281",
      .elsewhere("RepetitionTests")),
    CommandAccount("swift test --sanitize=thread", .elsewhere("RaceFixtureTests")),
    CommandAccount(
      "THREADMILL_OPTIONS=\"jitter=portfolio\" swift test --sanitize=thread",
      .elsewhere("RepetitionTests")),
    CommandAccount(
      "threadmill test --explore --sanitize thread", .elsewhere("TestPlanTests")),
    CommandAccount(
      "swift test --sanitize=thread -Xlinker --wrap=__tsan_read8 -Xlinker --wrap=__tsan_write8",
      .never("builds everything once more; harness-accesses is linked in this way")),
  ]

  private static let tooLong = How.never("takes many minutes, and is for people to judge")
  /// The folder of the recipes that users take for their own campaigns.
  private static let recipe = "scripts/campaigns/recipes"
  /// The begin of commands for tests, all of which are in a package below.
  private static let testing = "swift test --package-path Tests --scratch-path .build"

  /// Commands that contributors type; most of them measure for many minutes.
  private static let contributing =
    ["scripts/bench", "scripts/bench-newcomer", "scripts/rates", "scripts/strategies"].map {
      CommandAccount($0, tooLong)
    }
    + [
      "bench-names", "bench-report", "bench-test-command", "candidates", "described",
      "explore-bench", "explored", "hard", "kills", "matrix", "packages", "program-bench",
      "silence", "suite-bench", "unharmed", "weak-price",
    ].map { CommandAccount("scripts/campaigns/\($0)", tooLong) }
    + [
      CommandAccount("scripts/lint", .elsewhere("scripts/test")),
      CommandAccount("scripts/lib/kernel", .elsewhere("scripts/test")),
      CommandAccount("scripts/lib/aarch64", .elsewhere("scripts/test")),
      CommandAccount("scripts/lib/newcomer", .elsewhere("scripts/test")),
      CommandAccount("scripts/docs", .elsewhere("DocumentationTests")),
      CommandAccount("scripts/lib/links", .elsewhere("scripts/docs")),
      CommandAccount("scripts/release VERSION", .elsewhere("ReleaseTests")),
      CommandAccount("scripts/release --check VERSION", .elsewhere("ReleaseTests")),
      CommandAccount("threadmill --version", .typed([0])),
      CommandAccount("\(recipe)/try", .never("needs root, ssh and Slurm")),
      CommandAccount("\(recipe)/merge", .elsewhere("\(recipe)/parallel")),
      CommandAccount("\(recipe)/parallel", .elsewhere("\(recipe)/try")),
      CommandAccount("\(recipe)/slurm", .elsewhere("\(recipe)/try")),
      CommandAccount("scripts/lib/program NAME", .form),
      CommandAccount("\(testing) --filter RE", .form),
      CommandAccount("swift format -i FILE", .never("changes the file that the reader names")),
      CommandAccount(
        "THREADMILL_README=write \(testing)"
          + " --filter 'HazardPageTests|ReadmeTests|DocumentationTests'",
        .never("rewrites the documents while they are tested")),
      CommandAccount(
        "THREADMILL_README=write \(testing) --filter HazardPageTests",
        .never("rewrites the documents while they are tested")),
    ]

  /// Commands that CI machines run.
  private static let recipes =
    [
      CommandAccount("git clone --depth 1 \"$THREADMILL_URL\" /tmp/threadmill", clones),
      CommandAccount("/tmp/threadmill/scripts/setup", .elsewhere("scripts/test")),
      CommandAccount(
        "swift run --package-path /tmp/threadmill threadmill test"
          + " --junit threadmill.xml --html threadmill.html",
        .typed([1], leaves: ["threadmill.xml", "threadmill.html"])),
    ] + workflow + campaigns

  /// The action and the workflow for GitHub, and the job for GitLab.
  private static let workflow = [
    CommandAccount(
      "git clone --depth 1 --branch \"$THREADMILL\" https://gitlab.com/OWNER/threadmill"
        + " /tmp/threadmill", clones),
    CommandAccount(
      "test -x .threadmill/bin/threadmill"
        + " || /tmp/threadmill/scripts/install \"$PWD/.threadmill\"", installs),
    CommandAccount(
      ".threadmill/bin/threadmill test --junit threadmill.xml --html threadmill.html",
      .never("needs an installation; the file for GitLab types the same switches")),
    CommandAccount(
      "git clone --depth 1 --branch \"$THREADMILL\" https://github.com/OWNER/threadmill"
        + " /tmp/threadmill", clones),
    CommandAccount(
      """
      /tmp/threadmill/scripts/setup
      test -x ~/.local/bin/threadmill || /tmp/threadmill/scripts/install
      echo ~/.local/bin >> "$GITHUB_PATH"
      """, installs),
    CommandAccount(
      "threadmill test --sarif watched.sarif --markdown summary.md --github -",
      .typed([1], leaves: ["watched.sarif", "summary.md"])),
    CommandAccount(
      "threadmill test --explore --sarif explored.sarif --markdown explored.md --github -",
      .typed([1], leaves: ["explored.sarif", "explored.md"])),
    CommandAccount(
      "cat summary.md explored.md >> \"$GITHUB_STEP_SUMMARY\"",
      .typed([0], leaves: ["step-summary.md"])),
    CommandAccount(
      """
      cd "$GITHUB_ACTION_PATH/../../.."
      scripts/setup
      sources=$(find Package.swift Scenarios Sources scripts/install -type f -exec sha256sum {} +)
      key=$(printf '%s\\n' "$(swift --version 2>&1)" "$(sort <<<"$sources")" | sha256sum \
      | cut -c 1-16)
      echo "key=threadmill-$key" >>"$GITHUB_OUTPUT"
      """, .never("what it sets up is the build machine")),
    CommandAccount(
      """
      prefix=~/.cache/threadmill
      [ -x "$prefix/bin/threadmill" ] || "$GITHUB_ACTION_PATH/../../../scripts/install" "$prefix"
      echo "$prefix/bin" >>"$GITHUB_PATH"
      """, installs),
    CommandAccount(
      """
      read -ra arguments <<<"$ARGUMENTS"
      threadmill test --package-path "${PACKAGE_PATH:-.}" ${SANITIZE:+--sanitize "$SANITIZE"} \
      --sarif threadmill.sarif --markdown "$GITHUB_STEP_SUMMARY" --github - "${arguments[@]}"
      """, .typed([1], leaves: ["threadmill.sarif", "step-summary.md"])),
  ]

  private static let campaigns = [
    CommandAccount("\(recipe)/merge FOLDER [SWITCH…]", .form),
    CommandAccount("\(recipe)/parallel SHARDS FOLDER COMMAND…", .form),
    CommandAccount(
      "\(recipe)/parallel 8 .threadmill/campaign threadmill test --repeat 1000 --until end"
        + " --seed 1 --shard {shard} --json {report}", .elsewhere("\(recipe)/try")),
    CommandAccount("\(recipe)/slurm SHARDS FOLDER COMMAND…", .form),
    CommandAccount(
      "\(recipe)/slurm 64 /shared/campaign threadmill test --repeat 10000 --until end"
        + " --seed 1 --shard {shard} --json {report}", .elsewhere("\(recipe)/try")),
    CommandAccount("\(recipe)/try [parallel|slurm]…", .form),
    CommandAccount(
      "kubectl apply -f \(recipe)/kubernetes.yaml", .never("there is no cluster here")),
    CommandAccount(
      "kubectl wait --for=condition=complete job/threadmill --timeout=2h",
      .never("there is no cluster here")),
    CommandAccount("\(recipe)/merge campaign", .elsewhere("\(recipe)/parallel")),
    CommandAccount(
      """
      shard=$((JOB_COMPLETION_INDEX + 1))
      threadmill test --repeat 1000 --until end --seed 1 --shard "$shard/8" \
      --json "/campaign/shard-$shard.json"
      status=$?
      [ "$status" -le 1 ]
      """, .never("there is no cluster here, and a shard takes hours")),
    CommandAccount(
      """
      status=0
      swift run threadmill test --repeat 1000 --until end --seed "$GITHUB_RUN_NUMBER" \
      --shard "${{ matrix.shard }}/${{ strategy.job-total }}" --campaign "$GITHUB_RUN_ID" \
      --json "shard-${{ matrix.shard }}.json" || status=$?
      [ "$status" -le 1 ]
      """, .never("a shard takes hours")),
    CommandAccount(
      "swift run threadmill report campaign/shard-*.json --json report.json --text report.txt",
      .never("merges what eight machines have made; \(recipe)/try merges")),
    CommandAccount("cat report.txt", .never("shows what the step before has written")),
  ]
}

extension CommandAccount {
  /// Returns the scripts that can be called.
  static func scripts() throws -> [String] {
    let folder = Checkout.root.appending(path: "scripts").path
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
      var isFolder: ObjCBool = false
      let path = "\(folder)/\($0)"
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
    }.map { "scripts/\($0)" }
  }

  /// Returns whether `name` can run it: a file that names the program, or a test suite that exists.
  func isRun(by name: String) throws -> Bool {
    if name.contains("/") {
      let file = try String(
        contentsOf: Checkout.root.appending(path: name), encoding: .utf8)
      let program = text.split(separator: " ")[0].split(separator: "/").last ?? ""
      return file.contains("/\(program)") || file.contains("_\(program)")
    }
    let folder = Checkout.root.appending(path: "Tests").path
    return try FileManager.default.subpathsOfDirectory(atPath: folder).contains {
      guard $0.hasSuffix(".swift") else { return false }
      let source = try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
      return source.contains("struct \(name) ")
    }
  }
}
