/// Threadmill as a part of a program with Thread Sanitizer.
struct LinkedThreadmill {
  /// Switches of `swift build` and `swiftc` that put all of Threadmill, with the shared libraries
  /// that it needs, into whatever is linked.
  let switches: [String]

  /// - Parameter wrapsAccesses: whether memory accesses are points.
  init(_ product: ToolFile.Product, wrapsAccesses: Bool) throws {
    let file = try ToolFile(product)
    let ofTests = product == .linkedTests ? ["Testing", "XCTest", "Foundation"] : []
    let libraries =
      ofTests + [
        "swiftCore", "swiftGlibc", "swiftDispatch", "swift_Concurrency", "swiftSwiftOnoneSupport",
        "swiftRuntime",
        "swiftSynchronization", "swift_StringProcessing", "swift_RegexParser", "dispatch",
        "BlocksRuntime",
      ]
    // SwiftPM does not look whether the library is another one: a name that changes with it does.
    let mark = "--defsym=threadmill_linked_\(try file.version)=0"
    let words =
      ["--whole-archive", file.path, "--no-whole-archive", mark] + libraries.map { "-l\($0)" }
    switches =
      words.flatMap { ["-Xlinker", $0] } + (wrapsAccesses ? WrappedAccesses.switches : [])
  }
}
