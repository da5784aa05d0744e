// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "xctest-user",
  dependencies: [
    .package(name: "threadmill", path: "../../.."),
    .package(path: "../ToolShed"),
  ],
  targets: [
    .testTarget(
      name: "XCTestUserTests",
      dependencies: [
        .product(name: "ToolShed", package: "ToolShed"),
        .product(name: "ThreadmillXCTest", package: "threadmill"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
