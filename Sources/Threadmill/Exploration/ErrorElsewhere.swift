/// An error that a body has thrown in another process.
struct ErrorElsewhere: Error, CustomStringConvertible {
  /// The name of its type.
  let type: String
  let description: String
}
