import Foundation
import ThreadmillConformanceCases

@main
struct Main {
  static func main() {
    exit(runSwiftCases())
  }
}
