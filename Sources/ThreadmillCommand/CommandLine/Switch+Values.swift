import ThreadmillModel

extension Switch.Value {
  /// How often something is run.
  static let count = Switch.Value(placeholder: "N", allowed: "a whole number from 1 to 10000") {
    Int($0).map { (1...10_000).contains($0) } ?? false
  }

  /// What chance is drawn from.
  static let seed = Switch.Value(
    placeholder: "S", allowed: "a whole number from 0 to \(UInt64.max)"
  ) { Seed(text: $0) != nil }

  /// How threads are disturbed.
  static let policy = Switch.Value(
    placeholder: "POLICY", allowed: policies.map(\.rawValue).joined(separator: ", ")
  ) { policies.map(\.rawValue).contains($0) }

  private static let policies = JitterPolicy.allCases.filter { $0 != .off }
}

extension Seed {
  /// As people write it; `nil` for anything else.
  init?(text: String) {
    guard let value = UInt64(text) else { return nil }
    self.init(rawValue: value)
  }
}
