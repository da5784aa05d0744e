import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

/// The command over a `swift` and a test binary that only say what they were called with.
@Suite(.disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"))
struct TestCommandTests {
  /// Runs `threadmill test` with scripts in the places of `swift` and of the test binary.
  ///
  /// - Parameter listed: what the binary says when it is asked for Swift Testing's tests.
  private func run(
    _ arguments: [String], build: String = "exit 0", listed: String = "M.one()\nM.two()",
    tests: String = "exit 0", stop: @Sendable (URL) -> ChildProcess.Stop = { _ in .never }
  ) async throws -> ChildProcess.Result {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("script")
    try Data("\(build)\n".utf8).write(to: file)
    let folder = directory.file("build/debug")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let standIn = Checkout.root.appending(path: "Tests/Fixtures/StandIn")
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "APackageTests.xctest"),
      withDestinationURL: standIn.appending(path: "tests"))
    let script = """
      case "$*" in
      --dump-tests-json) exit 0;;
      *--list-tests) printf '%s\\n' "\(listed)"; exit 0;;
      esac
      \(tests)
      """
    let binary = directory.file("tests")
    try Data("\(script)\n".utf8).write(to: binary)
    var environment = Program.environment(options: nil)
    environment["PATH"] = "\(standIn.path):\(environment["PATH", default: ""])"
    environment["SCRIPT"] = file.path
    environment["TESTS"] = binary.path
    environment["PLACE"] = directory.url.path
    let scratch = directory.file("build").path
    let child = ChildProcess(
      executable: try Program.named("threadmill").path,
      arguments: ["test", "--scratch-path", scratch] + arguments, environment: environment,
      limit: Program.limit)
    let stopping = stop(directory.url)
    var result = try await Slots.children.occupy { try await child.run(stop: stopping) }
    result.standardOutput = result.standardOutput.replacing(scratch, with: "BUILD")
    return result
  }

  /// Writes the report of a program in which nothing was found to where it is wanted.
  private static let reporting = """
    file=${THREADMILL_OPTIONS#*report=}; file=${file%% *}
    printf '%s' '{"version": 1, "findings": [], "accounting": {}, \
    "run": {"id": "1", "processes": 1, "mode": "observe"}}' > "$file"
    """

  /// A finding in such a report.
  private static let warning = """
    {"kind": "priorityInversion", "status": "observed", "severity": "warning", \
    "title": "Priority inversion", "fingerprint": "0123456789abcdef", "tests": [], "count": 1, \
    "participants": [], "objects": []}
    """

  /// Too early for a finding, and no reason to blame the package, or to forget what is known.
  @Test func anEarlyInterruptionIsNobodysFault() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let known = directory.file("known.txt")
    let entry = "0123456789abcdef deadlock transfer\n"
    try Data(entry.utf8).write(to: known)
    let result = try await run(
      ["--baseline", known.path, "--update-baseline"],
      tests: "touch $PLACE/began; exec sleep 100",
      stop: { place in
        let began = place.appending(path: "began").path
        return .asked(by: SIGINT) { _ in FileManager.default.fileExists(atPath: began) }
      })
    #expect(result.outcome == .signalled(SIGINT))
    #expect(result.standardOutput.contains("Threadmill: no "))
    #expect(result.standardError.contains("interrupted; this is what was found so far\n"))
    #expect(result.standardError.contains("was not changed"))
    #expect(!result.standardError.contains("no test was watched"))
    #expect(try String(contentsOf: known, encoding: .utf8) == entry)
  }

  /// It has neither passed nor failed.
  @Test func aRunThatIsInterruptedIsNotCounted() async throws {
    let result = try await run(
      ["--repeat", "3"],
      tests: "[ -e $PLACE/ended ] || { touch $PLACE/ended; exit 0; }; "
        + "touch $PLACE/began; exec sleep 100",
      stop: { place in
        let began = place.appending(path: "began").path
        return .asked(by: SIGINT) { _ in FileManager.default.fileExists(atPath: began) }
      })
    #expect(result.outcome == .signalled(SIGINT))
    #expect(result.standardOutput.contains("Threadmill: 1 run, 0 failed\n"))
  }

  @Test func whoIsNotWatchedIsTold() async throws {
    let result = try await run([])
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    #expect(result.standardError.contains("threadmill test: no test was watched"))
  }

  @Test func whatDoesNotBuildIsShown() async throws {
    let result = try await run([], build: "echo no such module; exit 1")
    #expect(result.outcome == .exited(1))
    #expect(result.standardOutput == "no such module\n")
    #expect(
      result.standardError.hasSuffix(
        "threadmill test: the tests do not build; no test was run, and no report was written\n"))
  }

  /// Green would say that the tests had passed.
  @Test func aPackageWithoutOneTestIsTold() async throws {
    let result = try await run([], listed: "", tests: "echo called; exit 0")
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    #expect(
      result.standardError.hasSuffix(
        "threadmill test: the package's test targets have not one test of Swift Testing or XCTest\n"
      ))
  }

  /// It is shown, and fails nothing.
  @Test func aWarningDoesNotFail() async throws {
    let report = Self.reporting.replacing(
      #""findings": []"#, with: #""findings": [\#(Self.warning)]"#)
    let result = try await run([], tests: "\(report)\nexit 0")
    #expect(result.outcome == .exited(0), "\(result.standardError)")
    #expect(result.standardOutput.hasSuffix("\nThreadmill: 1 finding (1 warning)\n"))
  }

  @Test func aFilterThatTakesNothingIsWrong() async throws {
    let result = try await run(["--filter", "tow"], tests: "echo called; exit 0")
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    #expect(
      result.standardError.hasSuffix(
        """
        threadmill test: --filter tow does not match any of the 2 tests there are; nearest: \
        M.two(), M.one()

        """))
  }

  @Test func aTestThatFailsWithoutAFindingEndsItToo() async throws {
    let result = try await run(
      ["--repeat", "5", "--jitter", "heavy", "--seed", "3"],
      tests: """
        \(Self.reporting)
        echo "one more" >> $PLACE/runs
        [ $(wc -l < $PLACE/runs) = 2 ] && { echo told you so; exit 1; }
        exit 0
        """)
    #expect(result.outcome == .exited(1))
    let seed = Seed.derived(from: Seed(rawValue: 3), 2)
    #expect(
      result.standardOutput == """
        told you so

        Threadmill: no findings

        Threadmill: seen in 2 runs, with the range of the true rate (95% confidence)
          1 of 2  9.5% to 90.5%  first: run 2, heavy, seed \(seed)  the test process failed

        Threadmill: 2 runs, 1 failed; stopped at the first failure, --until end goes on
        Threadmill: with the same seed, 0 of 5 further runs failed; --explore looks for an order \
        of steps that fails each time
        To repeat: threadmill test --scratch-path BUILD --jitter heavy --seed \(seed)

        """)
  }

  /// What fails under jitter alone is no finding, and is named with its message.
  @Test func aTestThatIsSensitiveToTimingIsTold() async throws {
    let result = try await run(
      ["--filter", "one", "--jitter", "heavy", "--seed", "3"],
      tests: """
        \(Self.reporting)
        while [ "$1" != --event-stream-output-path ]; do shift; done
        case $THREADMILL_OPTIONS in
          *jitter=*) symbol=fail status=1 ;;
          *) symbol=pass status=0
            sed -i 's/"findings": \\[\\]/"findings": [\(Self.warning)]/' "$file" ;;
        esac
        cat > "$2" <<END
        {"kind":"test","payload":{"id":"M.one()","kind":"function"}}
        {"payload":{"kind":"testStarted","testID":"M.one()"}}
        {"payload":{"kind":"issueRecorded","testID":"M.one()","issue":{"isKnown":false}, \
        "messages":[{"symbol":"$symbol","text":"took too long"}]}}
        {"payload":{"kind":"testEnded","testID":"M.one()", \
        "messages":[{"symbol":"$symbol","text":""}]}}
        END
        exit $status
        """)
    #expect(result.outcome == .exited(1))
    #expect(
      result.standardOutput.hasPrefix(
        """
        sensitive to timing: M.one()
            took too long
            It passes undisturbed: a concurrency bug, or a time limit that is too short.

        warning: Priority inversion [observed priorityInversion]

        """))
    // What is found while nothing disturbs the test is told, too.
    #expect(
      result.standardOutput.hasSuffix(
        """

        Tests: 1 failed
        Threadmill: 1 finding (1 warning)

        To repeat: threadmill test --scratch-path BUILD --filter M.one --jitter heavy --seed 3

        """))
  }

  /// Each run with its tests and its seed.
  @Test func theTestsAreCalledAsTheyHaveToBe() async throws {
    let result = try await run(
      ["--filter", "o", "--skip", "two", "--repeat", "2", "--jitter", "heavy", "--seed", "3"]
        + ["--budget", "20"],
      tests: """
        \(Self.reporting)
        words="$*" options="${THREADMILL_OPTIONS%report=*}${THREADMILL_OPTIONS#*json}"
        echo "${words%%--event*}[$options]" >> $PLACE/calls
        [ $(wc -l < $PLACE/calls) = 2 ] && { cat $PLACE/calls; exit 1; }
        exit 0
        """)
    let words = "--testing-library swift-testing --filter ^M\\.one\\(\\)(/|$) "
    let test = "\(words)[jitter=heavy jitterbudget=20  seed="
    #expect(
      result.standardOutput.split(separator: "\n").prefix(2) == [
        "\(test)3]", "\(test)\(Seed.derived(from: Seed(rawValue: 3), 2))]",
      ])
  }

  @Test func swiftIsCalledAsItHasToBe() async throws {
    let result = try await run(["--package-path", "a b"], build: "echo \"$*\"; exit 1")
    #expect(
      result.standardOutput
        == "build --build-tests --package-path a b --scratch-path BUILD --build-system native\n")
  }

  /// However short the time, one run is made.
  @Test func timeIsALimit() async throws {
    let result = try await run(
      ["--time", "1", "--jitter", "light"], tests: "\(Self.reporting)\nsleep 1.1; exit 0")
    #expect(result.outcome == .exited(0))
    #expect(result.standardOutput.hasSuffix("Threadmill: 1 run, 0 failed\n"))
  }

  @Test(arguments: [["--repeat", "0"], ["--jitter", "purple"], ["test"]])
  func wrongUsageIsTold(_ arguments: [String]) async throws {
    let result = try await run(arguments, build: "echo called; exit 0")
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    #expect(result.standardError.hasSuffix("see: threadmill test --help\n"))
  }
}
