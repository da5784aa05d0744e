// swift-tools-version: 6.1
import Foundation
import PackageDescription

// Built twice by `scripts/campaigns/suite-bench`: as it is, and with Threadmill linked.
let isObserved = ProcessInfo.processInfo.environment["THREADMILL_BENCH_OBSERVED"] != nil

let package = Package(
  name: "short-tests",
  dependencies: isObserved ? [.package(name: "threadmill", path: "../../..")] : [],
  targets: [
    .testTarget(
      name: "ShortTests",
      dependencies: isObserved
        ? [.product(name: "ThreadmillTesting", package: "threadmill")] : [])
  ],
  swiftLanguageModes: [.v6]
)
