#if os(Linux)
  import CThreadmillGate

  /// Whether the calling code is in a `deinit`.
  ///
  /// All uses of an object come before its last release, and so before its `deinit`. The runtime
  /// draws that edge inside of a release, where the gate does not see it.
  struct Deinitialisation {
    private static let most = 64
    private var images = LoadedImages()
    /// Whether there is a `deinit`, by return addresses.
    private var known: [UInt: Bool] = [:]

    mutating func isUnderWay() -> Bool {
      withUnsafeTemporaryAllocation(of: UInt.self, capacity: Self.most) { stack in
        let count = tm_memory_stack(stack.baseAddress, UInt32(stack.count))
        return stack.prefix(Int(count)).contains { isInDeinit($0) }
      }
    }

    private mutating func isInDeinit(_ address: UInt) -> Bool {
      if let known = known[address] { return known }
      let frames = images.frames(of: UInt64(address)) ?? []
      let isOne = frames.contains { Self.isDeinit($0.function ?? "") }
      known[address] = isOne
      return isOne
    }

    /// `Box.deinit`, `Box.__deallocating_deinit`, and closures in these.
    private static func isDeinit(_ function: String) -> Bool {
      let words = function.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      return words.contains { $0 == "deinit" || $0 == "__deallocating_deinit" }
    }
  }
#endif
