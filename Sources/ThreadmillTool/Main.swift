import Foundation
import ThreadmillCommand

@main struct Main {
  static func main() {
    let console = Console.standard(environment: ProcessInfo.processInfo.environment)
    exit(Tool.run(Array(CommandLine.arguments.dropFirst()), console: console).rawValue)
  }
}
