import ThreadmillModel

/// One test of a package, as it is called on command lines: `Module.Suite/test()` or
/// `Module.Class/testMethod`.
package struct PackageTest: Hashable, Sendable {
  package enum Library: Hashable, Sendable {
    case xctest, swiftTesting
  }

  package var library: Library
  package var name: String

  package init(_ library: Library, _ name: String) {
    self.library = library
    self.name = name
  }

  /// The class of a method; all of Swift Testing's are one group, as they run side by side anyway.
  var group: String {
    library == .swiftTesting ? "" : String(name.prefix { $0 != "/" })
  }
}

/// Which of a package's tests are run.
package struct TestChoice: Hashable, Sendable {
  /// Regular expressions, as `swift test` takes them; `nil` for all, and for none to be skipped.
  package var filter: String?
  package var skip: String?

  package init(filter: String? = nil, skip: String? = nil) {
    self.filter = filter
    self.skip = skip
  }

  /// A filter that takes nothing, a mistyped name most likely.
  package struct NoMatch: Error, Hashable, Sendable, CustomStringConvertible {
    var filter: String
    var total: Int
    /// The names that are nearest to what was asked for.
    var nearest: [String]

    package var description: String {
      let all = total == 1 ? "the 1 test there is" : "any of the \(total) tests there are"
      let near = nearest.isEmpty ? "" : "; nearest: \(nearest.joined(separator: ", "))"
      return "--filter \(filter.shellQuoted) does not match \(all)\(near.printable)"
    }
  }

  /// The package has test targets, and not one test.
  package struct NoTest: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String {
      "the package's test targets have not one test of Swift Testing or XCTest"
    }
  }

  package func chosen(from tests: [PackageTest]) throws -> [PackageTest] {
    if tests.isEmpty { throw NoTest() }
    var chosen = tests
    if let filter {
      let wanted = try Regex(filter)
      chosen = tests.filter { $0.name.contains(wanted) }
      if chosen.isEmpty {
        throw NoMatch(filter: filter, total: tests.count, nearest: Self.near(filter, in: tests))
      }
    }
    guard let skip else { return chosen }
    let unwanted = try Regex(skip)
    return chosen.filter { !$0.name.contains(unwanted) }
  }

  /// By the last part of the name, which is what people type.
  private static func near(_ word: String, in tests: [PackageTest]) -> [String] {
    let ranked = tests.map { test in
      let last = test.name.split { $0 == "." || $0 == "/" }.last.map(String.init) ?? test.name
      return (test.name, Options.editDistance(word, last))
    }
    return ranked.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map(\.0)
  }
}
