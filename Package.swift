// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "threadmill",
  products: [
    .library(name: "Threadmill", targets: ["Threadmill"]),
    .library(name: "ThreadmillTesting", targets: ["ThreadmillTesting"]),
    .library(name: "ThreadmillXCTest", targets: ["ThreadmillXCTest"]),
    .library(name: "ThreadmillPreload", type: .dynamic, targets: ["ThreadmillPreload"]),
  ],
  targets: [
    // The machine: what is taken over in C, and what is thought about it in Swift.
    .target(name: "CThreadmillGate"),
    .target(name: "CUnwind"),
    .target(name: "ThreadmillModel"),
    .target(name: "ThreadmillDetection", dependencies: ["ThreadmillModel"]),
    .target(name: "ThreadmillReporting", dependencies: ["ThreadmillModel"]),
    .target(
      name: "ThreadmillRuntime",
      dependencies: ["CThreadmillGate", "CUnwind", "ThreadmillModel", "ThreadmillDetection"]),

    // The ways in.
    .target(
      name: "Threadmill",
      dependencies: ["ThreadmillModel", "ThreadmillRuntime", "ThreadmillReporting"]),
    .target(name: "ThreadmillTesting", dependencies: ["Threadmill"]),
    .target(name: "ThreadmillXCTest", dependencies: ["Threadmill"]),
    .target(name: "ThreadmillPreload", dependencies: ["Threadmill"]),

    // The corpus, which knows nothing of the harness, and the program that runs one of it.
    .target(name: "ThreadmillScenarios", path: "Scenarios"),
    .executableTarget(
      name: "scenario-host", dependencies: ["ThreadmillScenarios", "Threadmill"],
      path: "Sources/ScenarioHost"),

    .testTarget(name: "ThreadmillModelTests", dependencies: ["ThreadmillModel"]),
    .testTarget(
      name: "ThreadmillDetectionTests", dependencies: ["ThreadmillDetection", "ThreadmillModel"]),
    .testTarget(
      name: "ThreadmillReportingTests", dependencies: ["ThreadmillReporting", "ThreadmillModel"]),
    // Runs scenario-host and `swift test` in the fixture packages as child processes.
    .testTarget(name: "ThreadmillScenarioTests", dependencies: ["ThreadmillScenarios"]),
  ],
  swiftLanguageModes: [.v6]
)
