import Foundation
import Threadmill
import ThreadmillScenarios

// Runs one scenario in this process. What Threadmill finds, it finds in a program that does not
// know of it; it is called only where a program asks whether it is where it should be.

let usage = "usage: scenario-host run ID VARIANT [TIMES]"

/// Says on standard error what is wrong and ends the process with status 2.
func refuse(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("scenario-host: \(reason)\n".utf8))
  exit(2)
}

/// Some scenarios are about the main thread, so the body runs on this one.
///
/// - Parameter times: how often, one after the other.
func run(_ id: String, _ variantName: String, times: Int) {
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
  for _ in 0..<times { body() }
}

let arguments = Array(CommandLine.arguments.dropFirst())
let times = arguments.count == 4 ? Int(arguments[3]) ?? 0 : 1
guard (3...4).contains(arguments.count), arguments[0] == "run", times > 0 else {
  refuse("cannot make sense of [\(arguments.joined(separator: " "))]\n\(usage)")
}
run(arguments[1], arguments[2], times: times)
