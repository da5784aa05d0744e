/// What a call returned or threw.
///
/// It is made on one thread, and compared between the runs by another one, while nobody else uses
/// what the call has returned.
///
/// A class, because answers are copied often, and never changed.
package final class Answer: @unchecked Sendable {
  private let value: Any
  package let error: (any Error)?
  private let isEqual: (Any, Any) -> Bool
  /// The bytes of a small result without references. Of results of one operation, equal bytes are
  /// equal results; others may be equal, too.
  fileprivate let bytes: Bytes?

  fileprivate struct Bytes: Equatable {
    var low: UInt64 = 0
    var high: UInt64 = 0
  }

  package convenience init<Result>(_ call: () throws -> Result) {
    do { self.init(value: try call()) } catch { self.init(error: error) }
  }

  package convenience init<Result>(_ call: () async throws -> Result) async {
    do { self.init(value: try await call()) } catch { self.init(error: error) }
  }

  private init<Result>(value: Result) {
    (self.value, error, bytes) = (value, nil, Bytes(of: value))
    isEqual = { Sameness.areEqual($0, $1, as: Result.self) }
  }

  private init(error: any Error) {
    (value, self.error, bytes) = (error, error, nil)
    isEqual = { Sameness.areEqual($0, $1, as: type(of: $0)) }
  }

  /// Whether two calls did the same as far as their caller can tell.
  package func isSame(as other: Answer) -> Bool {
    (error == nil) == (other.error == nil) && isEqual(value, other.value)
  }

  /// `→ 3`, `threw Empty()`; empty for a call that returns nothing.
  package var words: String {
    if let error { return "threw \(Self.words(error))" }
    return value is Void ? "" : "→ \(Self.words(value))"
  }

  /// A value as people write it.
  package static func words<Value>(_ value: Value) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else {
      return value is any StringProtocol ? String(reflecting: value) : "\(value)"
    }
    return mirror.children.first.map { words($0.value) } ?? "nil"
  }
}

/// Compares results of any type: by `==` where the type has it, else part by part.
///
/// Objects without `==` count as the same if they are of the same class: each run makes its own.
private enum Sameness {
  /// Parts of parts are looked at down to here.
  private static let deepest = 8

  static func areEqual(_ one: Any, _ other: Any, as type: Any.Type, depth: Int = 0) -> Bool {
    let equatable = type as? any Equatable.Type ?? Swift.type(of: one) as? any Equatable.Type
    if let equatable { return equatable.areEqual(one, other) }
    let (mine, others) = (Mirror(reflecting: one), Mirror(reflecting: other))
    guard mine.subjectType == others.subjectType else { return false }
    if depth == deepest || mine.displayStyle == .class { return true }
    if mine.children.isEmpty, others.children.isEmpty { return "\(one)" == "\(other)" }
    return mine.children.elementsEqual(others.children) { mine, others in
      mine.label == others.label
        && areEqual(
          mine.value, others.value, as: Swift.type(of: mine.value), depth: depth + 1)
    }
  }
}

extension Equatable {
  fileprivate static func areEqual(_ one: Any, _ other: Any) -> Bool {
    guard let one = one as? Self, let other = other as? Self else { return false }
    return one == other
  }
}

extension Answer.Bytes {
  init?<Value>(of value: Value) {
    guard _isPOD(Value.self), MemoryLayout<Value>.size <= MemoryLayout<Self>.size else {
      return nil
    }
    withUnsafeMutableBytes(of: &self) { mine in
      withUnsafeBytes(of: value) { mine.copyMemory(from: $0) }
    }
  }
}

/// Gives equal answers of an operation the same number.
package struct AnswerBook {
  private var answers: [[(number: Int, answer: Answer)]]
  private var all: [Answer] = []

  package init(operations: Int) { answers = Array(repeating: [], count: operations) }

  package mutating func number(of answer: Answer, for operation: Int) -> Int {
    if let known = known(answer, operation) { return known }
    answers[operation].append((all.count, answer))
    all.append(answer)
    return all.count - 1
  }

  private func known(_ answer: Answer, _ operation: Int) -> Int? {
    if let bytes = answer.bytes {
      for known in answers[operation] where known.answer.bytes == bytes { return known.number }
    }
    return answers[operation].first { $0.answer.isSame(as: answer) }?.number
  }

  package subscript(number: Int) -> Answer { all[number] }
}
