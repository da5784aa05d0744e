import Foundation
import ThreadmillConformanceRaces

@main
struct Main {
  @MainActor static func main() async {
    exit(await runLaw2(CommandLine.arguments))
  }
}
