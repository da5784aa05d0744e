import Testing

@testable import ThreadmillRuntime

/// The module that a function belongs to, by its whole name.
@Suite struct SwiftModuleTests {
  @Test(
    arguments: [
      ("Bank.Account.close() -> ()", "Bank"),
      ("static Bank.Account.open() -> Bank.Account", "Bank"),
      (
        "(extension in Foundation):Foundation.NSLocking.withLock<A>(() throws -> A1) -> A1",
        "Foundation"
      ),
      ("(extension in Bank):Swift.Array.last() -> A", "Bank"),
      ("static (extension in Bank):Swift.Array.last() -> A", "Bank"),
      ("closure #1 (inout Swift.TaskGroup<()>) async -> () in Bank.audit() async -> ()", "Bank"),
      ("closure #2 () -> () in closure #1 () -> () in Swift.TaskGroup.next() -> ()", "Swift"),
      ("(1) suspend resume partial function for closure #1 () -> () in Bank.audit() -> ()", "Bank"),
      (
        "$defer #1 <A>() -> () in (extension in Foundation):Foundation.NSLocking.withLock() -> ()",
        "Foundation"
      ),
      ("generic specialization <Swift.Int> of Swift.Array.append(__owned A) -> ()", "Swift"),
      ("Swift.TaskGroup.addTask(priority: Swift.Optional<Swift.TaskPriority>) -> ()", "Swift"),
      ("partial apply forwarder for Bank.audit() -> ()", nil), ("main", nil), ("", nil),
    ] as [(String, String?)])
  func theOwnerIsInTheName(_ name: String, _ module: String?) {
    #expect(SwiftModule.owner(of: name).map(String.init) == module)
  }
}
