import Foundation
import Threadmill

/// Explores a case as a test of a framework's does, whose code may ask for something of its own.
enum AsTest {
  /// - Parameter arguments: `NAME [SCHEDULES [STRATEGY [SEED]]]`, what the test's code asks for.
  static func run(_ arguments: [String]) throws {
    guard let name = arguments.first, let body = Bodies.all[name]?.asynchronous else {
      throw Wrong("no such case")
    }
    let asked = Array(arguments.dropFirst())
    let wish = ExplorationWish(
      schedules: asked.first.flatMap { Int($0) },
      strategy: asked.dropFirst().first.flatMap(ExplorationStrategy.init(rawValue:)),
      seed: asked.dropFirst(2).first.flatMap { UInt64($0) })
    say("complaint", TestExploration.run("Tests.one()", wish, body).failure ?? "none")
  }

  /// What one exploration leaves to the next one, to the program's children, and to its end.
  static func leave() throws {
    say("variable", getenv("THREADMILL_SCHEDULE") == nil ? "gone" : "there")
    for name in ["file", "opposite-locks-repaired"] {
      let result = try Bodies.all[name]?.explored(schedules: 5, strategy: .randomWalk, seed: 1)
      say("places-of-\(name)", result?.uncontrolledPlaces.count ?? -1)
    }
    fflush(nil)
    abort()
  }
}
