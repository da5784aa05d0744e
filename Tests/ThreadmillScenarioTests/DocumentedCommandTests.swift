import Foundation
import Testing
import ThreadmillChildren
import ThreadmillCommand
import ThreadmillModel
import ThreadmillTestSupport

/// What the documents and recipes tell people to type.
struct DocumentedCommandTests {
  /// A command that is new in a document is told here; so is one that no document has any more.
  @Test func everyCommandIsAccountedFor() throws {
    let commands = try DocumentedCommand.all()
    let known = Set(CommandAccount.table.map(\.text))
    for command in commands where !known.contains(command.text) {
      Issue.record("\(command.document) has a command without an account: \(command.text)")
    }
    #expect(known.subtracting(commands.map(\.text)) == [], "accounts of no command")
    #expect(known.count == CommandAccount.table.count, "two accounts of one command")
  }

  /// Programs and scripts are there, and ours understand what they are given.
  @Test func everyCommandIsUnderstood() async throws {
    let rehearsal = try CommandRehearsal()
    defer { rehearsal.remove() }
    for command in try DocumentedCommand.all() where !command.isForm {
      let outcome = try await rehearsal.outcome(of: command.text)
      let place = "\(command.document): \(command.text)"
      #expect(!outcome.complaint.contains("not found"), "\(place): \(outcome.complaint)")
      #expect(!outcome.complaint.contains("syntax error"), "\(place): \(outcome.complaint)")
      for call in outcome.calls { check(call, place) }
    }
  }

  private func check(_ call: CommandRehearsal.Call, _ place: String) {
    #expect(throws: Never.self, "\(place)") {
      _ = try Options(parsing: call.options)
      // A command's name alone speaks of the command.
      guard let words = call.toolsWords,
        !Command.table.map(\.name).contains(words.joined(separator: " "))
      else { return }
      _ = try CommandLineParser().parse(words)
    }
    guard call.program == "swift" else { return }
    #expect(["build", "format", "run", "test", "--version"].contains(call.words.first), "\(place)")
  }

  @Test func whoRunsACommandElsewhereIsThere() throws {
    for account in CommandAccount.table {
      guard case .elsewhere(let name) = account.how else { continue }
      #expect(try account.isRun(by: name), "\(account.text): \(name)")
    }
  }

  /// Switches that stand alone in a text belong to some command, or to somebody else's.
  @Test func everySwitchIsKnown() throws {
    let ours = Set(Command.table.flatMap(\.switches).map(\.name) + ["--help", "--version"])
    let others: Set = [
      "--bare", "--brief", "--build-system", "--naive", "--no-parallel", "--only", "--part",
      "--runs", "--sanitize=thread", "--sshlogin", "--strands", "--write",
    ]
    for document in try DocumentedCommand.documents() where document.hasSuffix(".md") {
      let text = try String(
        contentsOf: Checkout.root.appending(path: document), encoding: .utf8)
      for match in text.matches(of: #/`(--[\w=-]+)[^`]*`/#) {
        let name = String(match.1)
        #expect(ours.contains(name) || others.contains(name), "\(document): \(name)")
      }
    }
  }
}

extension DocumentedCommand {
  fileprivate var isForm: Bool {
    CommandAccount.table.contains { $0.text == text && $0.how == .form }
  }
}
