// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "swift-testing-user",
  dependencies: [
    .package(name: "threadmill", path: "../../.."),
    .package(path: "../ToolShed"),
  ],
  targets: [
    .testTarget(
      name: "SwiftTestingUserTests",
      dependencies: [
        .product(name: "ToolShed", package: "ToolShed"),
        .product(name: "ThreadmillTesting", package: "threadmill"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
