import Foundation
import ThreadmillChildren
import ThreadmillSymbols

/// The built executable with all tests of a package.
struct TestBinary: Sendable {
  /// No executable was built, because the package has no tests.
  struct Missing: Error, CustomStringConvertible {
    let folder: String
    var description: String {
      "no test binary in \(folder.printable): the package has no tests; of its programs each can be"
        + " watched by 'threadmill run -- PROGRAM'"
    }
  }

  /// The executable was built with Thread Sanitizer and could not be linked with Threadmill.
  struct OutOfReach: Error, CustomStringConvertible {
    let path: String
    var description: String {
      "\(path.printable) has Thread Sanitizer and no Threadmill; build with --sanitize thread, or"
        + " let the package depend on ThreadmillTesting or ThreadmillXCTest"
    }
  }

  /// The path, without symbolic links in it.
  let path: String
  /// Whether Threadmill is linked into it.
  let hasGate: Bool

  /// Finds the newest test executable in a build folder. Follows the links that SwiftPM makes
  /// there.
  init(in scratch: String) throws {
    let folder = URL(fileURLWithPath: scratch).appending(path: "debug").resolvingSymlinksInPath()
    let files =
      (try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: [.contentModificationDateKey])) ?? []
    // An executable under an older name of the package may have been left.
    let newest = files.filter { $0.pathExtension == "xctest" }.max {
      Self.changed($0) < Self.changed($1)
    }
    guard let newest else { throw Missing(folder: folder.path) }
    path = newest.path
    let parts = ELFFile.look(into: path) {
      (hasGate: $0.hasSection(".note.threadmill"), isSanitized: $0.defines("__tsan_init"))
    }
    hasGate = parts?.hasGate ?? false
    // Nothing can be preloaded in front of the sanitizer.
    if !hasGate, parts?.isSanitized ?? false { throw OutOfReach(path: path) }
  }

  private static func changed(_ file: URL) -> Date {
    (try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate)
      ?? .distantPast
  }

  /// The arguments with which the executable prints its tests.
  static let listings: [PackageTest.Library: [String]] = [
    .xctest: ["--dump-tests-json"],
    .swiftTesting: ["--testing-library", "swift-testing", "--list-tests"],
  ]

  /// Returns the tests that are in the output of the executable, each once: a package may have one
  /// test twice in XCTest's list.
  static func tests(_ library: PackageTest.Library, in output: String) -> [PackageTest] {
    let lines = output.split(separator: "\n").map(String.init)
    switch library {
    case .swiftTesting:
      return lines.filter { $0.contains(".") }.map { PackageTest(.swiftTesting, $0) }
    case .xctest:
      // The package's own code may print something before, when it is loaded.
      guard let line = lines.last(where: { $0.hasPrefix("{") }),
        let root = try? JSONDecoder().decode(XCTestTree.self, from: Data(line.utf8))
      else { return [] }
      var known = Set<String>()
      return root.methods.filter { known.insert($0).inserted }.map { PackageTest(.xctest, $0) }
    }
  }

  /// Returns the arguments with which the executable runs some of its tests, all of one library.
  ///
  /// - Parameter all: all tests of that library.
  static func arguments(for tests: [PackageTest], of all: [PackageTest]) -> [String] {
    let isAll = Set(tests).isSuperset(of: all)
    guard tests.first?.library == .swiftTesting else {
      return isAll ? [] : [tests.map(\.name).joined(separator: ",")]
    }
    let library = ["--testing-library", "swift-testing"]
    if isAll { return library }
    let rest = Set(all).subtracting(tests)
    let takes = rest.count < tests.count ? "--skip" : "--filter"
    let named = rest.count < tests.count ? rest.sorted { $0.name < $1.name } : tests
    return library + named.flatMap { [takes, "^\($0.name.escapedForRegex)(/|$)"] }
  }
}

/// The output of `--dump-tests-json`: bundles, which contain classes, which contain methods.
private struct XCTestTree: Decodable {
  var name: String
  var tests: [XCTestTree]?

  var methods: [String] {
    (tests ?? []).flatMap { child in
      child.tests == nil ? ["\(name)/\(child.name)"] : child.methods
    }
  }
}

extension String {
  /// A regular expression that matches exactly this text.
  fileprivate var escapedForRegex: String {
    map { #"\^$.|?*+()[]{}"#.contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
