import Foundation
import Threadmill
import ThreadmillScenarios

// Runs one scenario in this process. What Threadmill finds, it finds in a program that does not
// know of it; it is called only where a program asks whether it is where it should be, and where
// its schedules are to be explored.

let usage = """
  usage: scenario-host run ID VARIANT [TIMES]
         scenario-host explore ID VARIANT [schedules=N] [strategy=NAME] [seed=N] [schedule=TEXT]
         scenario-host explorable
  """

/// Says on standard error what is wrong and ends the process with status 2.
func refuse(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("scenario-host: \(reason)\n".utf8))
  exit(2)
}

/// The program of one variant.
private func body(of id: String, _ variantName: String) -> Scenario.Body {
  guard let scenario = Scenario.named(id) else {
    refuse("no scenario is called '\(id)'; 'threadmill scenarios list' shows all")
  }
  guard let body = Scenario.Variant(rawValue: variantName).flatMap(scenario.body(of:)) else {
    let known = scenario.variants.map(\.rawValue).joined(separator: ", ")
    refuse("scenario '\(id)' has no variant '\(variantName)', only: \(known)")
  }
  Probes.installed.confinement = { name, queue in
    let confinement = Confinement(of: name, to: queue)
    return { confinement.check() }
  }
  return body
}

/// The whole program, for executables that differ in how they are linked. Called by the main
/// thread: some scenarios are about that.
package func runScenarioHost(_ arguments: [String]) {
  func refuseArguments() -> Never {
    refuse("cannot make sense of [\(arguments.joined(separator: " "))]\n\(usage)")
  }
  if arguments == ["explorable"] { return tellWhatIsExplorable() }
  guard arguments.count >= 3 else { refuseArguments() }
  switch arguments[0] {
  case "run":
    let times = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 1
    guard arguments.count <= 4, times > 0 else { refuseArguments() }
    let program = body(of: arguments[1], arguments[2])
    for _ in 0..<times { program() }
  case "explore":
    explore(body(of: arguments[1], arguments[2]), ExplorationOrder(arguments.dropFirst(3)))
  default: refuseArguments()
  }
}
