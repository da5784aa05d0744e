import Foundation
import ThreadmillChildren

/// A library of Threadmill's that is loaded into a program in front of all others.
package struct Preload: Sendable {
  /// The products that there are for it.
  package enum Product: String, Sendable {
    /// For any program.
    case programs = "ThreadmillPreload"
    /// For test binaries: findings are those of tests.
    case tests = "ThreadmillPreloadTests"
  }

  /// The library is not beside the tool.
  package struct Missing: Error, CustomStringConvertible {
    let product: Product
    let folder: String

    package var description: String {
      "lib\(product.rawValue).so is not beside the tool in \(folder.printable); build it there, in"
        + " Threadmill's checkout: swift build --product \(product.rawValue)"
    }
  }

  /// Where the loader is told that it is.
  private let path: String

  /// - Parameter scratch: a folder for a link, since a path with a colon or a space would be taken
  ///   for several.
  package init(_ product: Product, scratch: TemporaryDirectory) throws {
    let tool = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(fileURLWithPath: tool).deletingLastPathComponent()
    let library = folder.appending(path: "lib\(product.rawValue).so")
    guard FileManager.default.isReadableFile(atPath: library.path) else {
      throw Missing(product: product, folder: folder.path)
    }
    guard library.path.contains(where: { $0 == ":" || $0.isWhitespace }) else {
      path = library.path
      return
    }
    let link = scratch.file(library.lastPathComponent)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: library)
    path = link.path
  }

  /// The environment in which a program loads it, in front of what it would preload anyway.
  package func environment(over environment: [String: String]) -> [String: String] {
    let name = "LD_PRELOAD"
    let others = environment[name].flatMap { $0.isEmpty ? nil : ":\($0)" } ?? ""
    return environment.merging([name: path + others]) { $1 }
  }
}
