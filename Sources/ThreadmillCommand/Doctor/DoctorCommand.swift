import Foundation

extension Command {
  static let doctor = Command(
    name: "doctor",
    sentence: "Say what of Threadmill works on this machine, and what to type to cure the rest.",
    switches: [
      Switch(
        "--executable", takes: .path, "Say as well whether this program is watched and has symbols."
      ),
      Switch("--json", "Write the same as JSON."),
      Switch(
        "--quick", "Run neither a small race nor the tool under watch; each takes half a second."),
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
