import Foundation
import ThreadmillCommand

@main struct Main {
  static func main() {
    Console.reserveStreams()
    let console = Console.standard(environment: ProcessInfo.processInfo.environment)
    let status = Tool.run(Array(CommandLine.arguments.dropFirst()), console: console)
    // A pipeline must not take output that was lost for "nothing wrong".
    let isLost = status == .nothingFound && Console.hasLostOutput
    exit((isLost ? .harnessFailed : status).rawValue)
  }
}
