// swift-tools-version: 6.0
import PackageDescription

// A small package of somebody who has never heard of Threadmill. The commands of the documents are
// typed in a copy of it.
let package = Package(
  name: "Bank",
  targets: [
    .target(name: "Bank"),
    .testTarget(name: "BankTests", dependencies: ["Bank"]),
  ]
)
