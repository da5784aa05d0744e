// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "tool-shed",
  products: [.library(name: "ToolShed", targets: ["ToolShed"])],
  targets: [.target(name: "ToolShed")],
  swiftLanguageModes: [.v6]
)
