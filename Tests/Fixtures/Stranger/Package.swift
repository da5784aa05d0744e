// swift-tools-version: 6.0
import PackageDescription

// A package of somebody who has never heard of Threadmill.
let package = Package(
  name: "Pantry",
  targets: [
    .target(name: "Pantry"),
    .testTarget(name: "PantryTests", dependencies: ["Pantry"]),
    // Tests that end their process, or do not end, where the environment asks for it.
    .testTarget(name: "AccidentTests"),
    // Tests that end their process under some orders of their steps.
    .testTarget(name: "CrashTests"),
    // Tests of XCTest's that go wrong under some orders of their steps, and some that never do.
    .testTarget(name: "OrderTests"),
    // Tests that can run once in a process.
    .testTarget(name: "KeyTests"),
    // Tests with a loop that another thread ends, and with run loops.
    .testTarget(name: "LoopTests"),
    // Tests whose threads would wait for each other if they met, which they do not by themselves.
    .testTarget(name: "MeetingTests", dependencies: ["Pantry"]),
  ]
)
