import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// Package.swift names, for each module, all modules below it.
///
/// SwiftPM compiles a module again if a module has changed that it names as a dependency. A struct
/// of a module further down may get another layout, while the modules in between stay as they are:
/// code that was not compiled again then reads the wrong bytes, and crashes.
@Suite(.disabled(if: isThreadSanitized, "no program of this build takes part"))
struct ManifestTests {
  private struct Manifest: Decodable {
    struct Part: Decodable {
      var name: String
      var type: String
      var dependencies: [Dependency]
    }
    struct Product: Decodable {
      var name: String
      var targets: [String]
    }
    /// Such as `{"byName": ["ThreadmillModel", null]}`.
    struct Dependency: Decodable {
      var name: String

      init(from decoder: any Decoder) throws {
        let kinds = try decoder.singleValueContainer().decode([String: [String?]].self)
        name = kinds.values.first?.first?.flatMap(\.self) ?? "?"
      }
    }

    var targets: [Part]
    var products: [Product]

    /// All modules below these, and these.
    func closure(of names: [String]) -> Set<String> {
      var (found, open) = (Set<String>(), names)
      while let name = open.popLast() {
        guard found.insert(name).inserted else { continue }
        open += targets.first { $0.name == name }?.dependencies.map(\.name) ?? []
      }
      return found
    }
  }

  private static func manifest() async throws -> Manifest {
    // The checkout's own build folder belongs to the `swift test` that runs this.
    let scratch = try TemporaryDirectory()
    defer { scratch.remove() }
    let dump = try await ChildProcess(
      executable: "/usr/bin/env",
      arguments: [
        "swift", "package", "--package-path", Checkout.root.path, "--scratch-path",
        scratch.file("build").path, "dump-package",
      ],
      environment: Program.environment(options: nil), limit: 300
    ).run()
    #expect(dump.outcome == .exited(0), "\(dump.standardError)")
    return try JSONDecoder().decode(Manifest.self, from: Data(dump.standardOutput.utf8))
  }

  @Test func aModuleNamesAllModulesBelowIt() async throws {
    let manifest = try await Self.manifest()
    #expect(manifest.targets.count > 20)
    for target in manifest.targets {
      let named = target.dependencies.map(\.name)
      #expect(manifest.closure(of: named).subtracting(named) == [], "\(target.name)")
    }
  }

  /// SwiftPM compiles a user's target again if a module has changed that the product names.
  @Test(arguments: ["Threadmill", "ThreadmillTesting", "ThreadmillXCTest", "ThreadmillAnnotations"])
  func aLibraryNamesAllModulesBelowIt(_ name: String) async throws {
    let manifest = try await Self.manifest()
    let product = try #require(manifest.products.first { $0.name == name })
    #expect(manifest.closure(of: product.targets).subtracting(product.targets) == [])
  }
}
