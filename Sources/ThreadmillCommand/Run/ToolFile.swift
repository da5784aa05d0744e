import Foundation
import ThreadmillChildren
import ThreadmillModel

/// A library of Threadmill's that the tool needs: beside the tool in its build folder, or where
/// `scripts/install` has put it.
package struct ToolFile: Sendable {
  package enum Product: String, CaseIterable, Sendable {
    /// A library to be loaded into any program in front of all others.
    case preload = "libThreadmillPreload.so"
    /// The same for a test binary, whose tests answer for what is found.
    case preloadTests = "libThreadmillPreloadTests.so"
    /// The library to be linked into a program with Thread Sanitizer: one that is loaded could not
    /// come before the sanitizer.
    case linked = "libThreadmillLinked.a"
    /// The library to be linked into a test binary with Thread Sanitizer.
    case linkedTests = "libThreadmillLinkedTests.a"

    /// The command that needs it.
    var purpose: String {
      switch self {
      case .preload: "threadmill run"
      case .preloadTests: "threadmill test"
      case .linked: "threadmill link"
      case .linkedTests: "threadmill test --sanitize thread"
      }
    }

    /// Its name in SwiftPM.
    var name: String {
      String(rawValue.dropFirst("lib".count).prefix { $0 != "." })
    }
  }

  /// It is not there.
  package struct Missing: Error, CustomStringConvertible {
    let product: Product
    let folder: String

    package var description: String {
      "\(product.rawValue) is not beside the tool in \(folder.printable), and the checkout that the"
        + " tool was built from is not there any more; in a checkout of Threadmill, type:"
        + " scripts/install"
    }
  }

  package let path: String

  package init(_ product: Product) throws {
    let folder = try Self.toolFolder
    let places = [folder, folder.appending(path: "../lib/threadmill").standardized]
    let found = places.map { $0.appending(path: product.rawValue).path }
      .first(where: FileManager.default.isReadableFile)
    guard let found else { throw Missing(product: product, folder: folder.path) }
    path = found
  }

  /// A number that changes when the file is replaced.
  package var version: Int {
    get throws {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard let date = attributes[.modificationDate] as? Date else {
        throw CocoaError(.fileReadUnknown)
      }
      return Int(date.timeIntervalSince1970 * 1_000)
    }
  }

  /// The folder in which the tool lies.
  static var toolFolder: URL {
    get throws {
      let tool = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(fileURLWithPath: tool).deletingLastPathComponent()
    }
  }

  /// The environment in which a program loads it, behind what it would preload anyway. Address
  /// Sanitizer as a library ends a program in which it is not loaded first; its option turns that
  /// check off.
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
    let others = environment[name].flatMap { $0.isEmpty ? nil : "\($0):" } ?? ""
    let sanitizer = "ASAN_OPTIONS"
    return environment.merging([
      name: others + library,
      sanitizer: "verify_asan_link_order=0:" + environment[sanitizer, default: ""],
    ]) { $1 }
  }
}
