/// The memory accesses that a program with Thread Sanitizer can hand to Threadmill first.
enum WrappedAccesses {
  /// For `swift build` and `swiftc`.
  static let switches: [String] = (plain + atomic).flatMap {
    ["-Xlinker", "--wrap=__tsan_\($0)"]
  }

  private static let plain = ["read", "write"].flatMap { access in
    [1, 2, 4, 8, 16].map { "\(access)\($0)" }
  }

  private static let atomic =
    [8, 16, 32, 64, 128].flatMap { size in
      [
        "load", "store", "exchange", "compare_exchange_val", "fetch_add", "fetch_sub", "fetch_and",
        "fetch_or", "fetch_xor",
      ].map { "atomic\(size)_\($0)" }
    } + ["atomic_thread_fence"]
}
