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
  ],
  targets: [
    // The machine: what is taken over in C, and what is thought about it in Swift.
    .target(name: "CThreadmillGate", cSettings: fast),
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
        "ThreadmillScheduling",
      ]),
    .executableTarget(name: "ThreadmillTool", dependencies: ["ThreadmillCommand"]),

    // The corpus, which knows nothing of the harness, and the program that runs one of it.
    .target(
      name: "ThreadmillScenarios", path: "Scenarios",
      exclude: ["Explored.md", "Pages", "README.md"]),
    .executableTarget(
      name: "scenario-host", dependencies: ["ThreadmillScenarios", "Threadmill"],
      path: "Sources/ScenarioHost"),

    // What watching costs: the same measuring code, without the harness and with it.
    .target(name: "CBenchProbe", path: "Sources/Bench/CBenchProbe"),
    .target(
      name: "ThreadmillBenchCases", dependencies: ["CBenchProbe"], path: "Sources/Bench/Cases"),
    .executableTarget(
      name: "threadmill-bench-bare", dependencies: ["ThreadmillBenchCases"],
      path: "Sources/Bench/Bare"),
    .executableTarget(
      name: "threadmill-bench-observed", dependencies: ["ThreadmillBenchCases", "Threadmill"],
      path: "Sources/Bench/Observed"),
    .executableTarget(
      name: "threadmill-bench", dependencies: ["ThreadmillBenchCases"],
      path: "Sources/Bench/Driver"),
    // What a report costs.
    .executableTarget(
      name: "threadmill-bench-report", dependencies: ["ThreadmillModel", "ThreadmillReporting"],
      path: "Sources/Bench/Report"),
    // What watching costs a test suite.
    .executableTarget(name: "threadmill-bench-turns", path: "Sources/Bench/Turns"),
    // What naming a stack costs, in a program with the debug information of a grown one.
    .executableTarget(
      name: "threadmill-bench-names",
      dependencies: ["ThreadmillSymbols", "ThreadmillReporting", "ThreadmillScenarios"],
      path: "Sources/Bench/Names"),
    // What a strategy takes to find a mistake, and what it costs at each point.
    .target(
      name: "ThreadmillMachine", dependencies: ["ThreadmillModel", "ThreadmillScheduling"],
      path: "Sources/Bench/Machine", swiftSettings: fastSwift),
    .executableTarget(
      name: "threadmill-bench-strategies",
      dependencies: ["ThreadmillMachine", "ThreadmillModel", "ThreadmillScheduling"],
      path: "Sources/Bench/Strategies"),
    .executableTarget(
      name: "threadmill-bench-explore", dependencies: ["Threadmill"], path: "Sources/Bench/Explore"),

    .testTarget(name: "ThreadmillModelTests", dependencies: ["ThreadmillModel"]),
    .testTarget(
      name: "ThreadmillDetectionTests", dependencies: ["ThreadmillDetection", "ThreadmillModel"]),
    // The rules by which the gate judges, as pure functions.
    .testTarget(name: "ThreadmillGateTests", dependencies: ["CThreadmillGate"]),
    .testTarget(
      name: "ThreadmillSchedulingTests",
      dependencies: ["ThreadmillMachine", "ThreadmillModel", "ThreadmillScheduling"]),
    .testTarget(
      name: "ThreadmillReportingTests",
      dependencies: [
        "ThreadmillChildren", "ThreadmillModel", "ThreadmillReporting", "ThreadmillTestSupport",
      ], exclude: ["Golden", "Validators"]),
    .testTarget(
      name: "ThreadmillCommandTests",
      dependencies: [
        "ThreadmillChildren", "ThreadmillCommand", "ThreadmillModel", "ThreadmillReporting",
        "ThreadmillScenarios", "ThreadmillTestSupport",
      ]),
    // What the reader of symbols says, beside what LLVM's says.
    .testTarget(
      name: "ThreadmillSymbolsTests",
      dependencies: ["ThreadmillChildren", "ThreadmillSymbols", "ThreadmillTestSupport"]),
    // Runs scenario-host and `swift test` in the fixture packages as child processes.
    .testTarget(
      name: "ThreadmillScenarioTests",
      dependencies: [
        "ThreadmillChildren", "ThreadmillCommand", "ThreadmillModel", "ThreadmillScenarios",
        "ThreadmillTestSupport",
      ]),
    .target(
      name: "ThreadmillTestSupport", dependencies: ["ThreadmillChildren"], path: "Tests/Support"),
    // What becomes of a program that is watched: its findings, its files, its end.
    .testTarget(
      name: "ThreadmillHarnessTests",
      dependencies: [
        "ThreadmillChildren", "ThreadmillModel", "ThreadmillRuntime", "ThreadmillTestSupport",
      ]),
    .executableTarget(
      name: "harness-orders", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Orders"),
    .executableTarget(
      name: "harness-confirming", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Confirming"),
    .executableTarget(
      name: "harness-priorities", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Priorities"),
    .executableTarget(
      name: "harness-races", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Races"),
    .executableTarget(
      name: "harness-runs", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Runs"),
    .executableTarget(
      name: "harness-standstill", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Standstill"),
    .executableTarget(
      name: "harness-stuck", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Stuck"),
    .executableTarget(
      name: "harness-objects", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Objects"),
    .executableTarget(
      name: "harness-plain-objects", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/PlainObjects",
      linkerSettings: [
        .linkedLibrary("dispatch", .when(platforms: [.linux])),
        .linkedLibrary("BlocksRuntime", .when(platforms: [.linux])),
      ]),
    .executableTarget(
      name: "harness-operations", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Operations"),
    .executableTarget(
      name: "harness-endings", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Endings"),
    .executableTarget(
      name: "harness-confinement", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Confinement"),
    .executableTarget(
      name: "harness-contention", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Contention"),
    // What the gate wrote down about a submission, beside what the unwinder says.
    .target(
      name: "CThreadmillFrameProbe", dependencies: ["CThreadmillGate", "CUnwind"],
      path: "Tests/Fixtures/Programs/FrameProbe"),
    .executableTarget(
      name: "harness-frames", dependencies: ["CThreadmillFrameProbe", "Threadmill"],
      path: "Tests/Fixtures/Programs/Frames"),
    .executableTarget(
      name: "harness-shaken", dependencies: ["CThreadmillGate", "Threadmill"],
      path: "Tests/Fixtures/Programs/Shaken"),
    .executableTarget(
      name: "harness-accesses", dependencies: ["CThreadmillGate", "Threadmill"],
      path: "Tests/Fixtures/Programs/Accesses",
      // As whoever wants memory accesses to be points links a program; no product has it.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--wrap=__tsan_read8", "-Xlinker", "--wrap=__tsan_write8"])
      ]),
    .executableTarget(
      name: "harness-explored", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/Explored"),
    .executableTarget(
      name: "harness-explored-accesses", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/ExploredAccesses",
      linkerSettings: [
        .unsafeFlags(
          [
            "read8", "write8", "atomic64_load", "atomic64_store",
          ].flatMap { ["-Xlinker", "--wrap=__tsan_\($0)"] })
      ]),
    .executableTarget(
      name: "harness-hard-use", dependencies: ["Threadmill"],
      path: "Tests/Fixtures/Programs/HardUse"),
  ],
  swiftLanguageModes: [.v6]
)

// Programs that are compiled twice, with the gate ("observed") and without it ("bare"), and that
// must do the same: the cases speak of Linux, and so does what they compare.
#if os(Linux)
  let gnu: [CSetting] = [.define("_GNU_SOURCE")]
  package.targets += [
    .target(
      name: "CThreadmillConformance", path: "Sources/Conformance/Harness", cSettings: gnu),
    .target(
      name: "CThreadmillPosixCases", dependencies: ["CThreadmillConformance"],
      path: "Sources/Conformance/Posix", cSettings: gnu),
    .target(
      name: "CThreadmillDispatchCases", dependencies: ["CThreadmillConformance"],
      path: "Sources/Conformance/Dispatch", cSettings: gnu,
      linkerSettings: [.linkedLibrary("dispatch"), .linkedLibrary("BlocksRuntime")]),
    .target(
      name: "ThreadmillConformanceCases", dependencies: ["CThreadmillConformance"],
      path: "Sources/Conformance/Swift"),
    .target(name: "ThreadmillConformanceRaces", path: "Sources/Conformance/Races"),
    .executableTarget(
      name: "conformance-posix-observed", dependencies: ["CThreadmillPosixCases", "Threadmill"],
      path: "Sources/Conformance/PosixObserved"),
    .executableTarget(
      name: "conformance-posix-bare", dependencies: ["CThreadmillPosixCases"],
      path: "Sources/Conformance/PosixBare"),
    .executableTarget(
      name: "conformance-dispatch-observed",
      dependencies: ["CThreadmillDispatchCases", "Threadmill"],
      path: "Sources/Conformance/DispatchObserved"),
    .executableTarget(
      name: "conformance-dispatch-bare", dependencies: ["CThreadmillDispatchCases"],
      path: "Sources/Conformance/DispatchBare"),
    .executableTarget(
      name: "conformance-swift-observed",
      dependencies: ["ThreadmillConformanceCases", "Threadmill"],
      path: "Sources/Conformance/SwiftObserved"),
    .executableTarget(
      name: "conformance-swift-bare", dependencies: ["ThreadmillConformanceCases"],
      path: "Sources/Conformance/SwiftBare"),
    .executableTarget(
      name: "conformance-async-observed",
      dependencies: ["ThreadmillConformanceCases", "Threadmill"],
      path: "Sources/Conformance/AsyncObserved"),
    .executableTarget(
      name: "conformance-async-bare", dependencies: ["ThreadmillConformanceCases"],
      path: "Sources/Conformance/AsyncBare"),
    .executableTarget(
      name: "law2-observed", dependencies: ["ThreadmillConformanceRaces", "Threadmill"],
      path: "Sources/Conformance/RacesObserved"),
    .executableTarget(
      name: "law2-bare", dependencies: ["ThreadmillConformanceRaces"],
      path: "Sources/Conformance/RacesBare"),
    .executableTarget(
      name: "conformance-liar", dependencies: ["CThreadmillConformance"],
      path: "Sources/Conformance/Liar", cSettings: gnu),
    .testTarget(
      name: "ThreadmillConformanceTests", dependencies: ["CThreadmillConformance"]),
  ]
#endif
