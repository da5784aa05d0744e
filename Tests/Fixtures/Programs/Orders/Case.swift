/// A way in which a program promises that one piece of work comes after another.
///
/// With the promise, the opposite lock orders before and after it can never meet. Its twin is the
/// same program with one of the two moved out of it: they run one after the other in this run too,
/// but only because of a flag. Most work that takes the first order ends after the second order was
/// taken: whether it has ended by then decides what is seen, and would otherwise be chance.
struct Case: Sendable {
  /// `isOrdered` says whether the program is the one with the promise.
  enum Body: Sendable {
    /// Runs on the main thread.
    case code(@Sendable (_ isOrdered: Bool) -> Void)
    /// Runs as a task on another one, which the main thread waits for.
    case task(@Sendable (_ isOrdered: Bool) async -> Void)
  }

  let name: String
  let body: Body

  init(_ name: String, _ body: @escaping @Sendable (_ isOrdered: Bool) -> Void) {
    self.name = name
    self.body = .code(body)
  }

  init(task name: String, _ body: @escaping @Sendable (_ isOrdered: Bool) async -> Void) {
    self.name = name
    self.body = .task(body)
  }

  static let all: [Case] = threads + hands + queues + items + tasks

  static func named(_ name: String) -> Case? { all.first { $0.name == name } }
}
