import ThreadmillReporting
import ThreadmillScenarios

extension Command {
  static let scenariosList = Command(
    name: "scenarios list",
    sentence: "List the scenarios (known bugs with their repairs), and what finds each of them.",
    switches: [Switch("--json", "Write the same as JSON, with every expectation.")]
  ) { arguments, console in
    let list = ScenarioList(Scenario.all)
    console.say(arguments.has("--json") ? list.json.text : list.text)
    return .nothingFound
  }
}
