// Measures how soon each strategy finds a mistake, and its cost: see `scripts/strategies`.
//
// Exit status: 0 within the limits; 1 beyond one; 2 wrong usage; 3 a trial could not be made.
import Foundation

func refuse(_ words: String, _ status: Int32) -> Never {
  FileHandle.standardError.write(Data("strategies: \(words)\n".utf8))
  exit(status)
}

var switches: [String: String] = [:]
let words = Array(CommandLine.arguments.dropFirst())
for index in stride(from: 0, to: words.count, by: 2) {
  let known = ["--ports", "--json", "--page", "--seeds", "--only", "--strategies"]
  guard known.contains(words[index]), index + 1 < words.count else {
    refuse("'\(words[index])' is no switch, or has no value; see the first lines of the script", 2)
  }
  switches[words[index]] = words[index + 1]
}
guard let ports = switches["--ports"], let seeds = Int(switches["--seeds"] ?? "20"), seeds > 0
else { refuse("--seeds needs a number of at least 1", 2) }

var isWell = true
if ["--json", "--page", "--only"].allSatisfy({ switches[$0] == nil }) {
  isWell = FirstHits.printTable()
  print()
  if !Costs.printTable() { isWell = false }
  print()
}
// JSON has nothing of other strategies.
let isForJSON = switches["--json"] != nil && switches["--page"] == nil
let usual = isForJSON ? PortTable.standard : "\(PortTable.standard),pct,pos"
let table = PortTable(
  trials: Trials(executable: ports, seeds: seeds),
  strategies: (switches["--strategies"] ?? usual).split(separator: ",").map {
    String($0)
  }, only: switches["--only"])
do {
  if !(try await table.print(json: switches["--json"], page: switches["--page"])) {
    isWell = false
  }
} catch {
  refuse("\(error)", 3)
}
exit(isWell ? 0 : 1)
