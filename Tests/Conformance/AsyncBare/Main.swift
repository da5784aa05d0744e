import Foundation
import ThreadmillConformanceCases

@main
struct Main {
  static func main() async {
    exit(await runAsyncCases())
  }
}
