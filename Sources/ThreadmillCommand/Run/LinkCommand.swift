import ThreadmillModel

extension Command {
  static let link = Command(
    name: "link",
    sentence: "Print the switches that link Threadmill into a program with Thread Sanitizer.",
    switches: [
      Switch(
        "--accesses",
        "Print only those that make memory accesses steps, for a program that links Threadmill"
          + " already.")
    ],
    examples: [
      (
        "swiftc -g -sanitize=thread selftest.swift $(threadmill link)",
        "Build a program in Swift, so that `threadmill explore` stops at its memory accesses."
      ),
      (
        "swiftc -sanitize=thread selftest.o -o selftest $(threadmill link)",
        "Link a program in C. For one in C++, add -lstdc++."
      ),
    ]
  ) { arguments, console in
    if arguments.has("--accesses") {
      console.say(WrappedAccesses.switches.joined(separator: " ") + "\n")
      return .nothingFound
    }
    try Interruption.heeding { try await ToolBuild.provide(.linked, console) }
    let switches = try LinkedThreadmill(.linked, wrapsAccesses: true).switches
    if let broken = switches.first(where: { $0.contains(where: \.isWhitespace) }) {
      throw WrongInput(
        "\(broken.printable) has a space in it, and the shell would take it for several words;"
          + " install Threadmill in a folder without one: scripts/install PREFIX")
    }
    console.say(switches.joined(separator: " ") + "\n")
    return .nothingFound
  }
}
