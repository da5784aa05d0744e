// swift-tools-version: 6.2
import PackageDescription

// The gate is part of every lock and every block of the user's, whose tests are debug builds: it is
// optimised there, too. Since tools version 6.2 a package with such a flag can be depended on.
let fast: [CSetting] = [.unsafeFlags(["-O2"], .when(configuration: .debug))]

// What the gate calls up into on the user's threads; assertions stay.
//
// Thread Sanitizer keeps what each thread did last, and takes the oldest of a thread that has ended
// for whoever needs more room: each function of ours that went in there would push out an access of
// the user's, and of an access that it has forgotten it reports no race.
let fastSwift: [SwiftSetting] = [
  .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)),
  .unsafeFlags(["-Xllvm", "-tsan-instrument-func-entry-exit=0"]),
]

// Goes through megabytes byte by byte, and nobody else's memory: what Thread Sanitizer would add
// makes it ten times slower and fills that history with each byte. The compiler goes by the last
// sanitizer that it is told of, and there is nothing that it adds for this one.
let byteReader: [SwiftSetting] = [
  .unsafeFlags(["-O"], .when(configuration: .debug)),
  .unsafeFlags(["-Xfrontend", "-sanitize=undefined"]),
]

let package = Package(
  name: "threadmill",
  products: [
    .library(name: "Threadmill", targets: ["Threadmill"]),
    .library(name: "ThreadmillTesting", targets: ["ThreadmillTesting"]),
    .library(name: "ThreadmillXCTest", targets: ["ThreadmillXCTest"]),
    .library(name: "ThreadmillPreload", type: .dynamic, targets: ["ThreadmillPreload"]),
    // The same for tests that are to answer for what is found while they run.
    .library(
      name: "ThreadmillPreloadTests", type: .dynamic,
      targets: ["ThreadmillPreload", "ThreadmillTesting", "ThreadmillXCTest"]),
    // And for tests with Thread Sanitizer, which have to be linked with it.
    .library(
      name: "ThreadmillLinkedTests", type: .static,
      targets: ["Threadmill", "ThreadmillTesting", "ThreadmillXCTest"]),
    .executable(name: "threadmill", targets: ["ThreadmillTool"]),

    // For the package in Tests alone, which can name nothing but products. They are no API: what
    // is in them may change with any commit.
    .executable(name: "scenario-host", targets: ["scenario-host"]),
    .library(
      name: "_ThreadmillParts",
      targets: [
        "ThreadmillModel", "ThreadmillDetection", "ThreadmillScheduling", "ThreadmillReporting",
        "ThreadmillSymbols",
      ]),
    .library(
      name: "_ThreadmillGate", targets: ["CThreadmillGate", "CUnwind", "ThreadmillRuntime"]),
    .library(
      name: "_ThreadmillCommand",
      targets: ["ThreadmillChildren", "ThreadmillCommand", "ThreadmillScenarios"]),
  ],
  targets: [
    // The machine: what is taken over in C, and what is thought about it in Swift.
    .target(
      name: "CThreadmillGate", cSettings: fast + [.headerSearchPath(".")]),
    .target(name: "CUnwind", cSettings: fast),
    .target(name: "ThreadmillModel", swiftSettings: fastSwift),
    .target(
      name: "ThreadmillDetection", dependencies: ["ThreadmillModel"], swiftSettings: fastSwift),
    .target(
      name: "ThreadmillScheduling", dependencies: ["ThreadmillModel"], swiftSettings: fastSwift),
    .target(
      name: "ThreadmillReporting", dependencies: ["ThreadmillModel"], exclude: ["Schema"],
      swiftSettings: fastSwift),
    .target(name: "ThreadmillSymbols", swiftSettings: byteReader),
    .target(
      name: "ThreadmillRuntime",
      dependencies: [
        "CThreadmillGate", "CUnwind", "ThreadmillModel", "ThreadmillDetection",
        "ThreadmillScheduling", "ThreadmillSymbols",
      ],
      swiftSettings: fastSwift),

    // The ways in.
    .target(
      name: "Threadmill",
      dependencies: [
        "ThreadmillModel", "ThreadmillDetection", "ThreadmillScheduling", "ThreadmillRuntime",
        "ThreadmillReporting",
      ],
      swiftSettings: fastSwift),
    .target(
      name: "ThreadmillTesting", dependencies: ["Threadmill"], swiftSettings: fastSwift),
    .target(name: "ThreadmillXCTest", dependencies: ["Threadmill"]),
    .target(name: "ThreadmillPreload", dependencies: ["Threadmill"]),

    // The command line, which starts others to be watched and never links the gate itself.
    .target(name: "ThreadmillChildren"),
    .target(
      name: "ThreadmillCommand",
      dependencies: [
        "ThreadmillChildren", "ThreadmillModel", "ThreadmillReporting", "ThreadmillScenarios",
        "ThreadmillScheduling", "ThreadmillSymbols",
      ]),
    .executableTarget(name: "ThreadmillTool", dependencies: ["ThreadmillCommand"]),

    // The corpus, which knows nothing of the harness, and the program that runs one of it.
    .target(
      name: "ThreadmillScenarios", path: "Scenarios",
      exclude: ["Explored.md", "Pages", "README.md"]),
    .executableTarget(
      name: "scenario-host", dependencies: ["ThreadmillScenarios", "Threadmill"],
      path: "Sources/ScenarioHost"),

    // Unit tests of modules that start no program, for `swift test` here. All tests: scripts/test.
    .testTarget(name: "ThreadmillModelTests", dependencies: ["ThreadmillModel"]),
    .testTarget(
      name: "ThreadmillDetectionTests", dependencies: ["ThreadmillDetection", "ThreadmillModel"]),
  ],
  swiftLanguageModes: [.v6]
)
