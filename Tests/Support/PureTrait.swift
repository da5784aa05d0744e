import Testing

extension Trait where Self == ConditionTrait {
  /// For tests of one thread that compute for long, and make no thread, process or file: the
  /// sanitizer finds nothing there, and takes ten times as long.
  package static var pureComputation: Self {
    .disabled(if: isThreadSanitized, "one thread alone computes for long: the plain run does it")
  }
}
