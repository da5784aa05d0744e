// swift-tools-version: 6.2
import PackageDescription

// All tests, the programs that they start, and the benchmarks: a package of its own, so that users
// of Threadmill load none of it. scripts/test builds it in the build folder of the package above,
// so that each module is built once for both.

/// Libraries of the package above, as its users get them, and the parts that they are made of.
let threadmill: Target.Dependency = .product(name: "Threadmill", package: "threadmill")
let annotations: Target.Dependency = .product(
  name: "ThreadmillAnnotations", package: "threadmill")
let parts: Target.Dependency = .product(name: "_ThreadmillParts", package: "threadmill")
let gate: Target.Dependency = .product(name: "_ThreadmillGate", package: "threadmill")
let scenarioHost: Target.Dependency = .product(
  name: "_ThreadmillScenarioHost", package: "threadmill")
let command: Target.Dependency = .product(name: "_ThreadmillCommand", package: "threadmill")

/// The name under which SwiftPM compiles the package above: its folder's name, as an identifier.
/// With it, this package sees declarations there that are `package`.
let packageName: String = {
  let folder = Context.packageDirectory.split(separator: "/").dropLast().last ?? "threadmill"
  let name = folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
  return String(name[0].isNumber ? ["_"] + name.dropFirst() : name)
}()
let inside: [SwiftSetting] = [.unsafeFlags(["-package-name", packageName])]

func library(
  _ name: String, at path: String, uses dependencies: [Target.Dependency] = [],
  swift: [SwiftSetting] = [], c: [CSetting] = [], linker: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, packageAccess: false, cSettings: c,
    swiftSettings: inside + swift, linkerSettings: linker)
}

func program(
  _ name: String, at path: String, uses dependencies: [Target.Dependency],
  c: [CSetting] = [], linker: [LinkerSetting] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path, packageAccess: false, cSettings: c,
    swiftSettings: inside, linkerSettings: linker)
}

func tests(
  _ name: String, uses dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: name, exclude: exclude, packageAccess: false,
    swiftSettings: inside)
}

/// A program with known ends, in `Fixtures/Programs`.
func harness(
  _ name: String, at folder: String, uses dependencies: [Target.Dependency] = [threadmill],
  linker: [LinkerSetting] = []
) -> Target {
  program(
    "harness-\(name)", at: "Fixtures/Programs/\(folder)", uses: dependencies, linker: linker)
}

/// The linker settings that make memory accesses points. Users add them to their own programs: no
/// product has them.
func wrapping(_ accesses: String...) -> [LinkerSetting] {
  [.unsafeFlags(accesses.flatMap { ["-Xlinker", "--wrap=__tsan_\($0)"] })]
}

/// All accesses that the gate has a function for, as `calls/sanitizer/accesses.c` names them.
let wrappingAll: [LinkerSetting] = {
  let sizes = [8, 16, 32, 64, 128]
  let changes = ["exchange", "fetch_add", "fetch_sub", "fetch_and", "fetch_or", "fetch_xor"]
  let atomics = ["load", "store", "compare_exchange_val"] + changes
  let plain = [1, 2, 4, 8, 16].flatMap { ["read\($0)", "write\($0)"] }
  let names =
    plain + sizes.flatMap { size in atomics.map { "atomic\(size)_\($0)" } }
    + ["atomic_thread_fence"]
  return [.unsafeFlags(names.flatMap { ["-Xlinker", "--wrap=__tsan_\($0)"] })]
}()

let linkedWithDispatch: [LinkerSetting] = [
  .linkedLibrary("dispatch", .when(platforms: [.linux])),
  .linkedLibrary("BlocksRuntime", .when(platforms: [.linux])),
]

let testTargets: [Target] = [
  library("ThreadmillTestSupport", at: "Support", uses: [command]),
  tests("ThreadmillModelTests", uses: [parts]),
  tests("ThreadmillDetectionTests", uses: [parts, "ThreadmillTestSupport"]),
  // The gate's decisions, which are pure functions, and its sequence lock.
  library("CThreadmillSequenceModel", at: "SequenceModel", uses: [gate]),
  tests(
    "ThreadmillGateTests",
    uses: [gate, "CThreadmillSequenceModel", "ThreadmillTestSupport"]),
  tests(
    "ThreadmillSchedulingTests", uses: ["ThreadmillMachine", parts, "ThreadmillTestSupport"]),
  // The search for orders that explain histories, against every order.
  tests("ThreadmillHistoriesTests", uses: [parts, "ThreadmillTestSupport"]),
  tests("ThreadmillPlanningTests", uses: [parts]),
  tests(
    "ThreadmillReportingTests", uses: [command, parts, "ThreadmillTestSupport"],
    exclude: ["Golden", "Validators"]),
  tests("ThreadmillCommandTests", uses: [command, parts, "ThreadmillTestSupport"]),
  // Compares our reader of symbols with LLVM's.
  tests("ThreadmillSymbolsTests", uses: [command, parts, "ThreadmillTestSupport"]),
  // Runs scenario-host and `swift test` in the fixture packages as child processes.
  tests(
    "ThreadmillScenarioTests",
    uses: [
      command, parts, "ThreadmillTestSupport",
      .product(name: "scenario-host", package: "threadmill"),
      .product(name: "threadmill", package: "threadmill"),
    ]),
  // Watched programs: their findings, their files, their ends.
  tests("ThreadmillHarnessTests", uses: [command, parts, gate, "ThreadmillTestSupport"]),
]

let harnesses: [Target] = [
  harness("orders", at: "Orders"),
  harness("confirming", at: "Confirming"),
  harness("priorities", at: "Priorities"),
  harness("races", at: "Races"),
  harness("strands", at: "Strands"),
  harness("runs", at: "Runs"),
  harness("standstill", at: "Standstill"),
  harness("stuck", at: "Stuck"),
  harness("objects", at: "Objects"),
  harness("plain-objects", at: "PlainObjects", linker: linkedWithDispatch),
  harness("plain-locks", at: "PlainLocks"),
  harness("operations", at: "Operations"),
  harness("layouts", at: "Layouts"),
  harness("endings", at: "Endings"),
  harness("confinement", at: "Confinement"),
  harness("annotated", at: "Annotated", uses: [annotations]),
  harness("contention", at: "Contention"),
  // Compares the gate's record of a submission with the unwinder's.
  library("CThreadmillFrameProbe", at: "Fixtures/Programs/FrameProbe", uses: [gate]),
  harness("frames", at: "Frames", uses: ["CThreadmillFrameProbe", threadmill]),
  // Names the functions that are called while a thread holds the dynamic linker's lock.
  library(
    "CThreadmillVisits", at: "Fixtures/Programs/Visits/C", uses: [gate],
    c: [.unsafeFlags(["-fno-builtin"])]),
  harness(
    "visits", at: "Visits/Watched", uses: ["CThreadmillVisits", gate, threadmill]),
  harness("shaken", at: "Shaken", uses: [gate, threadmill]),
  harness(
    "accesses", at: "Accesses", uses: [gate, threadmill], linker: wrapping("read8", "write8")),
  harness("explored", at: "Explored"),
  // The values that bodies come to, against a naive enumeration.
  harness("outcomes", at: "Outcomes"),
  // The types of the catalogue that are described by their operations.
  harness("described", at: "Described", uses: [threadmill, command]),
  // The scenarios with each access to memory wrapped.
  program(
    "scenario-host-wrapped", at: "Fixtures/Programs/ScenarioHost", uses: [scenarioHost],
    linker: wrappingAll),
  harness("explored-accesses", at: "ExploredAccesses", linker: wrappingAll),
  // Atomic accesses whose orders are too weak.
  library("CThreadmillWeakOrders", at: "Fixtures/Programs/WeakMemory/C"),
  harness(
    "weak-memory", at: "WeakMemory/Watched",
    uses: ["CThreadmillWeakOrders", threadmill, scenarioHost, command],
    linker: wrappingAll),
  // Whole programs to be explored, which know nothing of Threadmill.
  harness("launches-c", at: "Launches/C", uses: []),
  harness("launches-cpp", at: "Launches/CPlusPlus", uses: []),
  harness("launches-swift", at: "Launches/Swift", uses: []),
  harness("launches-tasks", at: "Launches/SwiftTasks", uses: []),
  harness("launches-accesses", at: "Launches/Accesses", linker: wrappingAll),
  harness("hard-use", at: "HardUse"),
  // One mutex in code of a debug build, of an optimised one, and of what the gate does not reach.
  library(
    "CThreadmillForeignMutex", at: "Fixtures/Programs/Mutexes/Foreign",
    c: [.unsafeFlags(["-O2"])]),
  library(
    "ThreadmillOptimisedMutex", at: "Fixtures/Programs/Mutexes/Optimised",
    swift: [.unsafeFlags(["-O"])]),
  library(
    "ThreadmillMutexCases", at: "Fixtures/Programs/Mutexes/Cases",
    uses: ["CThreadmillForeignMutex", "ThreadmillOptimisedMutex"]),
  // `ThreadmillMutexCases`, compiled with optimisation: its files are links to those.
  library(
    "ThreadmillOptimisedMutexCases", at: "Fixtures/Programs/Mutexes/OptimisedCases",
    uses: ["CThreadmillForeignMutex", "ThreadmillOptimisedMutex"], swift: [.unsafeFlags(["-O"])]),
  harness(
    "mutexes", at: "Mutexes/Watched",
    uses: ["ThreadmillMutexCases", "ThreadmillOptimisedMutexCases", threadmill]),
  harness(
    "mutexes-bare", at: "Mutexes/Bare",
    uses: ["ThreadmillMutexCases", "ThreadmillOptimisedMutexCases"]),
  harness("mutexes-none", at: "Mutexes/None", uses: []),
  // Builds the libraries that the tool looks for beside itself, which no test may be linked with.
  harness(
    "products", at: "Products",
    uses: [
      "ThreadmillPreload", "ThreadmillPreloadTests", "ThreadmillLinked", "ThreadmillLinkedTests",
    ].map {
      .product(name: $0, package: "threadmill")
    }),
]

let benchmarks: [Target] = [
  // The cost of watching: the same measuring code, without the gate and with it.
  library("CBenchProbe", at: "Bench/CBenchProbe"),
  library("ThreadmillBenchCases", at: "Bench/Cases", uses: ["CBenchProbe"]),
  program("threadmill-bench-bare", at: "Bench/Bare", uses: ["ThreadmillBenchCases"]),
  program(
    "threadmill-bench-observed", at: "Bench/Observed", uses: ["ThreadmillBenchCases", threadmill]),
  program("threadmill-bench", at: "Bench/Driver", uses: ["ThreadmillBenchCases"]),
  // The cost of a report.
  program("threadmill-bench-report", at: "Bench/Report", uses: [parts]),
  // The cost of watching a test suite.
  program("threadmill-bench-turns", at: "Bench/Turns", uses: []),
  // The cost of naming a stack, in a program with as much debug information as a grown one.
  program("threadmill-bench-names", at: "Bench/Names", uses: [parts, command]),
  // The schedules that a strategy needs to find a mistake, and its cost at each point. It is
  // optimised as the strategies are.
  library(
    "ThreadmillMachine", at: "Bench/Machine", uses: [parts],
    swift: [
      .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)),
      .unsafeFlags(["-Xllvm", "-tsan-instrument-func-entry-exit=0"]),
    ]),
  program(
    "threadmill-bench-strategies", at: "Bench/Strategies",
    uses: ["ThreadmillMachine", command, parts]),
  // The same of small programs whose memory accesses are points, each trial in a process.
  library("CBenchPorts", at: "Bench/Ports/C"),
  library("ThreadmillBenchPorts", at: "Bench/Ports/Programs", uses: ["CBenchPorts"]),
  program(
    "threadmill-bench-ports", at: "Bench/Ports/Explored",
    uses: ["ThreadmillBenchPorts", threadmill], linker: wrappingAll),
  // The rate at which the same programs go wrong, bare, with naive jitter and with ours.
  library("CBenchNaive", at: "Bench/Ports/CNaive"),
  program("threadmill-bench-once", at: "Bench/Ports/Once", uses: ["ThreadmillBenchPorts"]),
  program(
    "threadmill-bench-naive", at: "Bench/Ports/Naive",
    uses: ["CBenchNaive", "ThreadmillBenchPorts"]),
  program("threadmill-bench-jitter", at: "Bench/Jitter", uses: [command, parts]),
  program("threadmill-bench-explore", at: "Bench/Explore", uses: [threadmill]),
]

let package = Package(
  name: "threadmill-tests",
  dependencies: [.package(name: "threadmill", path: "..")],
  targets: testTargets + harnesses + benchmarks,
  swiftLanguageModes: [.v6]
)

// Programs that are compiled twice, with the gate ("observed") and without it ("bare"), and that
// must do the same. Linux only, as are the calls that they make.
#if os(Linux)
  let gnu: [CSetting] = [.define("_GNU_SOURCE")]

  /// A program with the gate and one without it, each in a folder of its own.
  func twice(_ name: String, at folder: String, cases: Target.Dependency) -> [Target] {
    [
      program("\(name)-observed", at: "Conformance/\(folder)Observed", uses: [cases, threadmill]),
      program("\(name)-bare", at: "Conformance/\(folder)Bare", uses: [cases]),
    ]
  }

  package.targets += [
    library("CThreadmillConformance", at: "Conformance/Harness", c: gnu),
    library(
      "CThreadmillPosixCases", at: "Conformance/Posix", uses: ["CThreadmillConformance"], c: gnu),
    library(
      "CThreadmillDispatchCases", at: "Conformance/Dispatch", uses: ["CThreadmillConformance"],
      c: gnu, linker: linkedWithDispatch),
    library(
      "ThreadmillConformanceCases", at: "Conformance/Swift", uses: ["CThreadmillConformance"]),
    library("ThreadmillConformanceRaces", at: "Conformance/Races"),
    program(
      "conformance-liar", at: "Conformance/Liar", uses: ["CThreadmillConformance"], c: gnu),
    tests(
      "ThreadmillConformanceTests",
      uses: [command, "CThreadmillConformance", "ThreadmillTestSupport"]),
  ]
  package.targets += twice("conformance-posix", at: "Posix", cases: "CThreadmillPosixCases")
  package.targets += twice(
    "conformance-dispatch", at: "Dispatch", cases: "CThreadmillDispatchCases")
  package.targets += twice("conformance-swift", at: "Swift", cases: "ThreadmillConformanceCases")
  package.targets += twice("conformance-async", at: "Async", cases: "ThreadmillConformanceCases")
  package.targets += twice("law2", at: "Races", cases: "ThreadmillConformanceRaces")
#endif
