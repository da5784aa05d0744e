import Foundation

extension Command {
  static let doctor = Command(
    name: "doctor",
    sentence: "Check this machine: what works, and how to repair what does not.",
    switches: [
      Switch(
        "--executable", takes: .path, "Also check whether this program is watched and has symbols."
      ),
      Switch("--json", "Write the same as JSON."),
      Switch(
        "--quick", "Skip the two checks that run a program; each takes half a second."),
    ]
  ) { arguments, console in
    let facts = MachineFacts.gather(
      quick: arguments.has("--quick"), executable: arguments.values["--executable"],
      environment: ProcessInfo.processInfo.environment)
    let report = DoctorReport(facts.diagnoses)
    let isJSON = arguments.has("--json")
    console.say(isJSON ? report.json.text : report.text(isColoured: console.isColoured))
    return report.status
  }
}
