import Foundation
import ThreadmillChildren
import ThreadmillModel

/// A product of Threadmill's that lies beside the tool.
package struct ToolFile: Sendable {
  package enum Product: String, Sendable {
    /// A library to be loaded into any program in front of all others.
    case preload = "libThreadmillPreload.so"
    /// The same for a test binary, whose tests answer for what is found.
    case preloadTests = "libThreadmillPreloadTests.so"
    /// What has to be linked into a test binary with Thread Sanitizer, which nothing that is
    /// loaded can come before.
    case linkedTests = "libThreadmillLinkedTests.a"

    /// What SwiftPM calls it.
    fileprivate var name: String {
      String(rawValue.dropFirst("lib".count).prefix { $0 != "." })
    }
  }

  /// It is not there.
  package struct Missing: Error, CustomStringConvertible {
    let product: Product
    let folder: String

    package var description: String {
      "\(product.rawValue) is not beside the tool in \(folder.printable); build it there, in"
        + " Threadmill's checkout: swift build --product \(product.name)"
    }
  }

  package let path: String

  package init(_ product: Product) throws {
    let tool = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(fileURLWithPath: tool).deletingLastPathComponent()
    path = folder.appending(path: product.rawValue).path
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw Missing(product: product, folder: folder.path)
    }
  }

  /// The environment in which a program loads it, in front of what it would preload anyway.
  ///
  /// - Parameter scratch: a folder for a link, since a path with a colon or a space would be taken
  ///   for several; it has to last as long as the program.
  package func preloaded(
    over environment: [String: String], scratch: TemporaryDirectory
  ) throws -> [String: String] {
    var library = path
    if path.contains(where: { $0 == ":" || $0.isWhitespace }) {
      library = scratch.file("library.so").path
      try? FileManager.default.removeItem(atPath: library)
      try FileManager.default.createSymbolicLink(atPath: library, withDestinationPath: path)
    }
    let name = "LD_PRELOAD"
    let others = environment[name].flatMap { $0.isEmpty ? nil : ":\($0)" } ?? ""
    return environment.merging([name: library + others]) { $1 }
  }
}
