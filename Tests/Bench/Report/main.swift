// Measures the end of a large campaign: 100,000 findings, 2,000 of them distinct, in the files of
// 100 shards. `scripts/campaigns/bench-report` runs it.
//
// usage: threadmill-bench-report write FOLDER    the shards' files
//        threadmill-bench-report read FOLDER     reads and merges them, and writes every format
//
// Exit status: 0 within the limits; 1 beyond one; 3 the benchmark itself failed.
import Foundation

let arguments = CommandLine.arguments.dropFirst()
do {
  switch (arguments.first, arguments.dropFirst().first) {
  case ("write", let folder?): try Campaign.write(to: folder)
  case ("read", let folder?): exit(try ReportMeter.run(on: folder) ? 0 : 1)
  default: throw CocoaError(.fileNoSuchFile)
  }
} catch {
  FileHandle.standardError.write(Data("threadmill-bench-report: \(error)\n".utf8))
  exit(3)
}
