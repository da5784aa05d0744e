// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "race-user",
  dependencies: [.package(name: "threadmill", path: "../../..")],
  targets: [
    .target(name: "Ledger"),
    .testTarget(
      name: "LedgerTests",
      dependencies: ["Ledger", .product(name: "ThreadmillTesting", package: "threadmill")]),
    .testTarget(
      name: "LedgerXCTests",
      dependencies: ["Ledger", .product(name: "ThreadmillXCTest", package: "threadmill")]),
  ],
  swiftLanguageModes: [.v6]
)
