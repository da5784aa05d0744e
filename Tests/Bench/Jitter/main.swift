// In how many runs jitter, the naive jitter and chance alone bring out the mistakes of small
// programs: see `scripts/rates --naive`.
//
// Exit status: 0 jitter is as good as the naive one; 1 it is worse; 2 wrong usage; 3 a run failed.
import Foundation

func refuse(_ words: String, _ status: Int32) -> Never {
  FileHandle.standardError.write(Data("rates: \(words)\n".utf8))
  exit(status)
}

var switches: [String: String] = [:]
let words = Array(CommandLine.arguments.dropFirst())
for index in stride(from: 0, to: words.count, by: 2) {
  let known = ["--once", "--naive", "--preload", "--runs", "--only", "--seed"]
  guard known.contains(words[index]), index + 1 < words.count else {
    refuse("'\(words[index])' is no switch, or has no value; see the first lines of the script", 2)
  }
  switches[words[index]] = words[index + 1]
}
guard let runs = Int(switches["--runs"] ?? "200"), runs > 0 else {
  refuse("--runs needs a number of at least 1", 2)
}
guard let seed = UInt32(switches["--seed"] ?? "1") else {
  refuse("--seed needs a number below 4,294,967,296", 2)
}
guard let once = switches["--once"], let naive = switches["--naive"],
  let preload = switches["--preload"]
else { refuse("start scripts/rates --naive", 2) }
guard !preload.contains(where: { $0 == ":" || $0.isWhitespace }) else {
  refuse("'\(preload)' has a colon or a space, and so cannot be preloaded; move the checkout", 3)
}

do {
  let comparison = Comparison(
    ways: [
      .bare: .init(executable: once) { _ in [:] },
      .naive: .init(executable: naive) { ["NAIVE_SEED": "\($0)"] },
      .jitter: .init(executable: once) {
        [
          "LD_PRELOAD": preload,
          "THREADMILL_OPTIONS": "jitter=portfolio seed=\($0) detect=false",
        ]
      },
    ], runs: runs, seed: UInt64(seed), only: switches["--only"])
  exit(try await comparison.print() ? 0 : 1)
} catch {
  refuse("\(error)", 3)
}
