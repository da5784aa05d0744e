import ThreadmillHistories

/// One operation of a type, as `Operation("push", 1...3) { stack, number in stack.push(number) }`
/// describes it.
///
/// `Operation` is a family of functions, not a type: Foundation has a type of that name, which
/// tests use beside it.
public struct DescribedOperation<Object, Model>: Sendable {
  let name: String
  /// The arguments of each way to call it, as people write them; one empty text if it takes none.
  let arguments: [String]
  /// The arguments themselves, or the first of two, where they can be compared.
  let keys: [AnyHashableKey?]
  let body: Body
  /// What the model does, where there is one.
  let model: (@Sendable (inout Model, Int) -> Answer)?
  private(set) var canBeCancelled = false
  private(set) var isIndependent = false

  enum Body: Sendable {
    case synchronous(@Sendable (Object, Int) -> Answer)
    case asynchronous(@Sendable (Object, Int) async -> Answer)
  }

  /// A key that may cross threads: it is only compared.
  struct AnyHashableKey: Hashable, @unchecked Sendable {
    let value: AnyHashable
  }

  /// The operation is also called in tasks that are cancelled while it runs.
  ///
  /// A cancelled call has to do one of two things: what the call does, or what it does in a task
  /// that was cancelled before. A model's operation that is cancelled throws `CancellationError`
  /// and changes nothing, or does what it does.
  public func canBeCancelled(_ isTrue: Bool = true) -> Self {
    var operation = self
    operation.canBeCancelled = isTrue
    return operation
  }

  /// Calls with different arguments (different first arguments) have nothing to do with each other,
  /// as those of a set or a dictionary: they are checked one argument at a time, if all operations
  /// are like that.
  public func independentByArgument(_ isTrue: Bool = true) -> Self {
    var operation = self
    operation.isIndependent = isTrue
    return operation
  }

  /// The call as people write it: `push(2)`.
  func words(_ argument: Int) -> String {
    let words = arguments.indices.contains(argument) ? arguments[argument] : "?"
    return "\(name)(\(words))"
  }
}

/// Collects the operations of a description.
@resultBuilder public enum OperationsBuilder<Object, Model> {
  /// One operation.
  public static func buildExpression(
    _ operation: DescribedOperation<Object, Model>
  ) -> [DescribedOperation<Object, Model>] { [operation] }

  /// All of them.
  public static func buildBlock(
    _ operations: [DescribedOperation<Object, Model>]...
  ) -> [DescribedOperation<Object, Model>] { operations.flatMap(\.self) }

  /// Those of an `if` without `else`.
  public static func buildOptional(
    _ operations: [DescribedOperation<Object, Model>]?
  ) -> [DescribedOperation<Object, Model>] { operations ?? [] }

  /// Those of an `if`.
  public static func buildEither(
    first operations: [DescribedOperation<Object, Model>]
  ) -> [DescribedOperation<Object, Model>] { operations }

  /// Those of an `else`.
  public static func buildEither(
    second operations: [DescribedOperation<Object, Model>]
  ) -> [DescribedOperation<Object, Model>] { operations }

  /// Those of a loop.
  public static func buildArray(
    _ operations: [[DescribedOperation<Object, Model>]]
  ) -> [DescribedOperation<Object, Model>] { operations.flatMap(\.self) }
}
