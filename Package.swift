// swift-tools-version: 6.2
import PackageDescription

// C flags of the gate. It is part of every lock and every block in the user's tests, which are
// debug builds, so it is optimised there, too. Since tools version 6.2 a package with unsafe flags
// can be depended on.
//
// Debug information is cut down to line tables, which is all that a backtrace needs: the code stays
// the same, a compiler takes a tenth less time, and the object files have a third of their size.
let fast: [CSetting] = [
  .unsafeFlags(
    ["-O2", "-Xclang", "-debug-info-kind=line-tables-only"], .when(configuration: .debug))
]

// Swift flags of the modules that run on the user's threads.
//
// A package that depends on Threadmill compiles them once, so each takes one compiler, which reads
// the module once and writes its interface, too. The driver writes a remark about that, which it
// cannot be told to leave out.
//
// Thread Sanitizer keeps a history of each thread's accesses and function calls. When a thread
// needs room, it overwrites the oldest history of threads that have ended, and no race with a
// forgotten access is reported. Therefore the functions of these modules are kept out of the
// history.
let once: SwiftSetting = .unsafeFlags(
  [
    "-whole-module-optimization", "-num-threads", "1", "-disable-batch-mode",
    "-no-emit-module-separately-wmo",
  ], .when(configuration: .debug))
let watching: [SwiftSetting] = [
  once, .unsafeFlags(["-Xllvm", "-tsan-instrument-func-entry-exit=0"]),
]

// Those of the modules that work while the program does, at each new nesting of locks and each step
// of an exploration: optimised, with assertions. The others work when there is something to tell;
// to optimise them takes most of the time of a first build.
func optimised(_ level: String) -> [SwiftSetting] {
  watching + [.unsafeFlags([level, "-assert-config", "Debug"], .when(configuration: .debug))]
}

// To optimise for size takes a compiler a ninth less time than to optimise for speed, and makes
// explorations at most a twentieth slower.
let fastSwift = optimised("-Osize")

// Debug information of the modules that do not lie on the user's stacks: line tables alone, as in
// the gate, which takes a compiler a fifteenth less time. Line tables do not have the mangled name
// of an inlined call. By that name, Threadmill's calls are told from the user's on a stack, so the
// modules that lie there keep all debug information. SwiftPM adds a `-g` that the driver would
// obey; therefore the flag is the frontend's.
let lineTables: SwiftSetting = .unsafeFlags(
  ["-Xfrontend", "-gline-tables-only"], .when(configuration: .debug))

// Swift flags of the reader of debug information, which Thread Sanitizer must not instrument. It
// reads megabytes byte by byte, in memory that no other code uses: instrumented, it is ten times
// slower and fills that history with each byte. The compiler obeys the last `-sanitize`, and for
// this one it adds no code.
let byteReader: [SwiftSetting] = [
  once, lineTables, .unsafeFlags(["-Osize"], .when(configuration: .debug)),
  .unsafeFlags(["-Xfrontend", "-sanitize=undefined"]),
]

let targets: [Target] = [
  // The core: the gate in C, which interposes functions, and Swift modules that judge its events.
  //
  // A floor of the gate with a `floor.c` is compiled at once, which takes half the time: most of
  // its files are small, and the compiler's start and the headers take longer than they do.
  .target(
    name: "CThreadmillGate",
    sources: [
      "ground/floor.c", "code/floor.c", "strand/floor.c", "object/floor.c", "tell/floor.c",
      "observe/floor.c", "shake/floor.c", "steer", "control/floor.c", "seam/floor.c",
      "calls/posix/floor.c", "calls/dispatch/floor.c", "calls/swift/floor.c",
      "calls/foundation/floor.c", "calls/sanitizer", "process/floor.c",
    ],
    cSettings: fast + [
      .headerSearchPath("."), .headerSearchPath("../CThreadmillAnnotations/include"),
    ]),
  .target(name: "CUnwind", cSettings: fast),
  .target(name: "ThreadmillModel", swiftSettings: watching + [lineTables]),
  .target(
    name: "ThreadmillOrders", dependencies: ["ThreadmillModel"],
    swiftSettings: fastSwift + [lineTables]),
  .target(
    name: "ThreadmillDetection", dependencies: ["ThreadmillModel", "ThreadmillOrders"],
    swiftSettings: watching + [lineTables]),
  .target(
    name: "ThreadmillScheduling", dependencies: ["ThreadmillModel"],
    swiftSettings: fastSwift + [lineTables]),
  .target(
    name: "ThreadmillHistories", dependencies: ["ThreadmillModel"],
    swiftSettings: fastSwift + [lineTables]),
  .target(
    name: "ThreadmillPlanning",
    dependencies: ["ThreadmillModel", "ThreadmillScheduling", "ThreadmillHistories"],
    swiftSettings: watching + [lineTables]),
  .target(
    name: "ThreadmillReporting", dependencies: ["ThreadmillModel"], exclude: ["Schema"],
    swiftSettings: watching + [lineTables]),
  .target(name: "ThreadmillSymbols", swiftSettings: byteReader),
  .target(
    name: "ThreadmillRuntime",
    dependencies: [
      "CThreadmillGate", "CUnwind", "ThreadmillModel", "ThreadmillOrders", "ThreadmillDetection",
      "ThreadmillScheduling", "ThreadmillPlanning", "ThreadmillSymbols",
    ],
    swiftSettings: watching),

  // The libraries that users import, link or preload.
  .target(name: "CThreadmillAnnotations", cSettings: fast),
  .target(
    name: "ThreadmillAnnotations", dependencies: ["CThreadmillAnnotations"],
    swiftSettings: watching),
  .target(
    name: "Threadmill",
    dependencies: [
      "ThreadmillAnnotations", "ThreadmillModel", "ThreadmillDetection", "ThreadmillScheduling",
      "ThreadmillHistories", "ThreadmillPlanning", "ThreadmillRuntime", "ThreadmillReporting",
    ],
    swiftSettings: watching),

  // It lends a test's body to an exploration: only code that is optimised for speed makes no copies
  // of what is lent.
  .target(
    name: "ThreadmillTesting", dependencies: ["Threadmill"], swiftSettings: optimised("-O")),

  .target(name: "ThreadmillXCTest", dependencies: ["Threadmill"]),
  .target(name: "ThreadmillPreload", dependencies: ["Threadmill"]),

  // The command line. It starts the programs to be watched, and never links the gate itself.
  .target(name: "ThreadmillChildren"),
  .target(name: "ThreadmillFormats", dependencies: ["ThreadmillModel", "ThreadmillReporting"]),
  .target(
    name: "ThreadmillCommand",
    dependencies: [
      "ThreadmillChildren", "ThreadmillModel", "ThreadmillReporting", "ThreadmillFormats",
      "ThreadmillScenarios", "ThreadmillPlanning", "ThreadmillSymbols",
    ]),
  .executableTarget(name: "ThreadmillTool", dependencies: ["ThreadmillCommand"]),

  // The scenarios, which know nothing of Threadmill, and the program that runs one of them.
  .target(
    name: "ThreadmillScenarios", path: "Scenarios",
    exclude: ["Explored.md", "Pages", "README.md"]),
  .target(
    name: "ThreadmillScenarioHost", dependencies: ["ThreadmillScenarios", "Threadmill"]),
  .executableTarget(
    name: "scenario-host", dependencies: ["ThreadmillScenarioHost"],
    path: "Sources/ScenarioHost"),

  // Unit tests that start no program, for `swift test` here. All tests: scripts/test.
  .testTarget(name: "ThreadmillModelTests", dependencies: ["ThreadmillModel"]),
  .testTarget(
    name: "ThreadmillDetectionTests",
    dependencies: ["ThreadmillDetection", "ThreadmillModel", "ThreadmillOrders"]),
]

// SwiftPM compiles a module again if a module has changed that it names. A struct of a module
// further down may get another layout, while the modules in between stay as they are: code that was
// not compiled again then reads the wrong bytes, and crashes. So each module, and each library that
// a package can depend on, names all modules below it.
let named = Dictionary(
  uniqueKeysWithValues: targets.map { target in
    let names = target.dependencies.map { dependency in
      guard case .byNameItem(let name, _) = dependency else { fatalError("\(dependency)") }
      return name
    }
    return (target.name, names)
  })

@MainActor func withAllBelow(_ names: [String]) -> [String] {
  var (found, open) = (Set<String>(), names)
  while let name = open.popLast() {
    if found.insert(name).inserted { open += named[name] ?? [] }
  }
  return targets.map(\.name).filter(found.contains)
}

for target in targets {
  target.dependencies = withAllBelow(named[target.name] ?? []).map { .byName(name: $0) }
}

let package = Package(
  name: "threadmill",
  products: [
    .library(name: "Threadmill", targets: withAllBelow(["Threadmill"])),
    // For programs that are shipped: it links no gate, and does nothing until there is one.
    .library(name: "ThreadmillAnnotations", targets: withAllBelow(["ThreadmillAnnotations"])),
    .library(name: "ThreadmillTesting", targets: withAllBelow(["ThreadmillTesting"])),
    .library(name: "ThreadmillXCTest", targets: withAllBelow(["ThreadmillXCTest"])),
    .library(name: "ThreadmillPreload", type: .dynamic, targets: ["ThreadmillPreload"]),
    // ThreadmillPreload for tests: each finding is charged to the tests that were running.
    .library(
      name: "ThreadmillPreloadTests", type: .dynamic,
      targets: ["ThreadmillPreload", "ThreadmillTesting", "ThreadmillXCTest"]),
    // For programs and tests with Thread Sanitizer: they must be linked with Threadmill, which
    // cannot be preloaded.
    .library(name: "ThreadmillLinked", type: .static, targets: ["Threadmill"]),
    .library(
      name: "ThreadmillLinkedTests", type: .static,
      targets: ["Threadmill", "ThreadmillTesting", "ThreadmillXCTest"]),
    .executable(name: "threadmill", targets: ["ThreadmillTool"]),

    // Products for the package in Tests alone, because a package can name only products of another.
    // They are no API: their contents may change with any commit.
    .executable(name: "scenario-host", targets: ["scenario-host"]),
    .library(
      name: "_ThreadmillParts",
      targets: [
        "ThreadmillModel", "ThreadmillOrders", "ThreadmillDetection", "ThreadmillScheduling",
        "ThreadmillHistories", "ThreadmillPlanning", "ThreadmillReporting", "ThreadmillFormats",
        "ThreadmillSymbols",
      ]),
    .library(
      name: "_ThreadmillGate", targets: ["CThreadmillGate", "CUnwind", "ThreadmillRuntime"]),
    .library(name: "_ThreadmillScenarioHost", targets: ["ThreadmillScenarioHost"]),
    .library(
      name: "_ThreadmillCommand",
      targets: ["ThreadmillChildren", "ThreadmillCommand", "ThreadmillScenarios"]),
  ],
  targets: targets,
  swiftLanguageModes: [.v6]
)
