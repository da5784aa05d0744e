// swift-format-ignore-file: AlwaysUseLowerCamelCase
// `Operation` reads as the name of a thing, and must not be a type: Foundation has one.

import ThreadmillHistories

/// So many arguments of an operation are used at most.
private let mostArguments = 1_000

/// Describes an operation without arguments: its name, and how it is called.
public func Operation<Object, Result>(
  _ name: String, _ call: @escaping @Sendable (Object) throws -> Result
) -> DescribedOperation<Object, Never> {
  DescribedOperation(
    name: name, arguments: [""], keys: [nil],
    body: .synchronous { object, _ in Answer { try call(object) } }, model: nil)
}

/// Describes an asynchronous operation without arguments.
public func Operation<Object, Result>(
  _ name: String, _ call: @escaping @Sendable (Object) async throws -> Result
) -> DescribedOperation<Object, Never> {
  DescribedOperation(
    name: name, arguments: [""], keys: [nil],
    body: .asynchronous { object, _ in await Answer { try await call(object) } }, model: nil)
}

/// Describes an operation: its name, the arguments to try, and how it is called with one of them.
///
/// Each call draws one of the arguments. Few are best: two calls that have the same argument, or
/// neighbours, are the ones that get into each other's way.
public func Operation<Object, Arguments: Sequence, Result>(
  _ name: String, _ arguments: Arguments,
  _ call: @escaping @Sendable (Object, Arguments.Element) throws -> Result
) -> DescribedOperation<Object, Never> where Arguments.Element: Sendable {
  let all = Array(arguments.prefix(mostArguments))
  return DescribedOperation(
    name: name, arguments: all.map(Answer.words), keys: keys(all),
    body: .synchronous { object, index in Answer { try call(object, all[index]) } }, model: nil)
}

/// Describes an asynchronous operation with arguments.
public func Operation<Object, Arguments: Sequence, Result>(
  _ name: String, _ arguments: Arguments,
  _ call: @escaping @Sendable (Object, Arguments.Element) async throws -> Result
) -> DescribedOperation<Object, Never> where Arguments.Element: Sendable {
  let all = Array(arguments.prefix(mostArguments))
  return DescribedOperation(
    name: name, arguments: all.map(Answer.words), keys: keys(all),
    body: .asynchronous { object, index in
      await Answer { try await call(object, all[index]) }
    }, model: nil)
}

/// Describes an operation with two arguments: every pair of them may be tried.
public func Operation<Object, First: Sequence, Second: Sequence, Result>(
  _ name: String, _ first: First, _ second: Second,
  _ call: @escaping @Sendable (Object, First.Element, Second.Element) throws -> Result
) -> DescribedOperation<Object, Never>
where First.Element: Sendable, Second.Element: Sendable {
  let all = pairs(first, second)
  return DescribedOperation(
    name: name, arguments: all.map { "\(Answer.words($0.0)), \(Answer.words($0.1))" },
    keys: keys(all.map(\.0)),
    body: .synchronous { object, index in
      Answer { try call(object, all[index].0, all[index].1) }
    }, model: nil)
}

/// Describes an asynchronous operation with two arguments.
public func Operation<Object, First: Sequence, Second: Sequence, Result>(
  _ name: String, _ first: First, _ second: Second,
  _ call: @escaping @Sendable (Object, First.Element, Second.Element) async throws -> Result
) -> DescribedOperation<Object, Never>
where First.Element: Sendable, Second.Element: Sendable {
  let all = pairs(first, second)
  return DescribedOperation(
    name: name, arguments: all.map { "\(Answer.words($0.0)), \(Answer.words($0.1))" },
    keys: keys(all.map(\.0)),
    body: .asynchronous { object, index in
      await Answer { try await call(object, all[index].0, all[index].1) }
    }, model: nil)
}

/// Describes an operation without arguments, and what the model does.
///
/// - Parameter model: changes the model's state, and returns what the call has to return; throws
///   what it has to throw, or ``WaitsForever`` where it has to wait.
public func Operation<Object, Model, Result>(
  _ name: String, _ call: @escaping @Sendable (Object) throws -> Result,
  model: @escaping @Sendable (inout Model) throws -> Result
) -> DescribedOperation<Object, Model> {
  DescribedOperation(
    name: name, arguments: [""], keys: [nil],
    body: .synchronous { object, _ in Answer { try call(object) } },
    model: { state, _ in Answer { try model(&state) } })
}

/// Describes an asynchronous operation without arguments, and what the model does.
public func Operation<Object, Model, Result>(
  _ name: String, _ call: @escaping @Sendable (Object) async throws -> Result,
  model: @escaping @Sendable (inout Model) throws -> Result
) -> DescribedOperation<Object, Model> {
  DescribedOperation(
    name: name, arguments: [""], keys: [nil],
    body: .asynchronous { object, _ in await Answer { try await call(object) } },
    model: { state, _ in Answer { try model(&state) } })
}

/// Describes an operation with arguments, and what the model does.
public func Operation<Object, Model, Arguments: Sequence, Result>(
  _ name: String, _ arguments: Arguments,
  _ call: @escaping @Sendable (Object, Arguments.Element) throws -> Result,
  model: @escaping @Sendable (inout Model, Arguments.Element) throws -> Result
) -> DescribedOperation<Object, Model> where Arguments.Element: Sendable {
  let all = Array(arguments.prefix(mostArguments))
  return DescribedOperation(
    name: name, arguments: all.map(Answer.words), keys: keys(all),
    body: .synchronous { object, index in Answer { try call(object, all[index]) } },
    model: { state, index in Answer { try model(&state, all[index]) } })
}

/// Describes an asynchronous operation with arguments, and what the model does.
public func Operation<Object, Model, Arguments: Sequence, Result>(
  _ name: String, _ arguments: Arguments,
  _ call: @escaping @Sendable (Object, Arguments.Element) async throws -> Result,
  model: @escaping @Sendable (inout Model, Arguments.Element) throws -> Result
) -> DescribedOperation<Object, Model> where Arguments.Element: Sendable {
  let all = Array(arguments.prefix(mostArguments))
  return DescribedOperation(
    name: name, arguments: all.map(Answer.words), keys: keys(all),
    body: .asynchronous { object, index in
      await Answer { try await call(object, all[index]) }
    },
    model: { state, index in Answer { try model(&state, all[index]) } })
}

/// Thrown by a model's operation that has to wait: the call does not return until another one has
/// changed the state.
public struct WaitsForever: Error {
  /// Makes one.
  public init() {}
}

private func pairs<First: Sequence, Second: Sequence>(
  _ first: First, _ second: Second
) -> [(First.Element, Second.Element)] {
  let second = Array(second.prefix(mostArguments))
  return Array(
    first.lazy.flatMap { one in second.map { (one, $0) } }.prefix(mostArguments))
}

private func keys<Argument, Object, Model>(
  _ arguments: [Argument]
) -> [DescribedOperation<Object, Model>.AnyHashableKey?] {
  arguments.map { argument in
    (argument as? AnyHashable).map { .init(value: $0) }
  }
}
