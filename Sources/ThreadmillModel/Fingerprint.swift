extension Frame {
  /// What to call the place when there is no line: the function, else image and offset, else a
  /// question mark.
  package var name: String {
    if let function { return function }
    guard let image else { return "?" }
    return "\(image)+0x\(String(offset ?? 0, radix: 16))"
  }
}

extension Finding {
  /// How many of the user's frames of one stack count. Three tell apart the callers of a locking
  /// helper, and mostly leave out the test, so that one mistake that two tests run into is one
  /// finding.
  package static let fingerprintFrames = 3

  /// Sixteen hexadecimal digits that are the same whenever the same mistake is found again.
  ///
  /// Made of the kind and, for every thread, the functions of the innermost user's frames at the
  /// wait and at each hold; where a thread has no stack, at the place where its work was submitted;
  /// where no thread takes part, at the places of the facts. Of a race on a global variable, its
  /// name counts: one function may race on several.
  /// Lines, addresses, instance numbers, names of threads, tests, counts,
  /// the status, and the order and number of threads that run the same code do not count: a cycle
  /// has no first thread, and five philosophers make the mistake of three. Without any user's
  /// frame, the title without its instance numbers and the kinds of the objects stand in.
  /// Of a failed expectation the test counts, and the title without the numbers in it: they are
  /// lines, and values of one schedule.
  package var fingerprint: String {
    var hash = FNV1a()
    hash.mix(kind.rawValue)
    // A baseline that knows the note must not hide the cycle of two threads.
    if isSingleThreaded { hash.mix("singleThreaded") }
    if kind == .assertionFailure {
      for test in tests.sorted() { hash.mix(test) }
      hash.mix(String(title.filter { !("0"..."9").contains($0) }))
      return hash.digits
    }
    for fact in facts { if let variable = fact.racedGlobal { hash.mix(String(variable)) } }
    let parts = Set(
      participants.isEmpty
        ? facts.compactMap(\.fingerprintPart) : participants.compactMap(\.fingerprintPart))
    if parts.isEmpty {
      hash.mix(Self.withoutInstances(title))
      for kind in objects.map(\.kind.rawValue).sorted() { hash.mix(kind) }
    } else {
      for part in parts.sorted() { hash.mix(part) }
    }
    return hash.digits
  }

  /// `L12`, `T3`, `S4` as whole words lose their number, addresses their digits.
  package static func withoutInstances(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      let word = rest.prefix { $0.properties.isAlphabetic || $0.properties.numericType != nil }
      rest = rest[(word.isEmpty ? rest.index(after: rest.startIndex) : word.endIndex)...]
      if word.count > 1, "LTS".unicodeScalars.contains(first),
        word.dropFirst().allSatisfy(\.isDigit)
      {
        result.append(first)
      } else if word.count > 2, word.starts(with: "0x".unicodeScalars) {
        result.append(contentsOf: "0x".unicodeScalars)
      } else if word.isEmpty {
        result.append(first)
      } else {
        result.append(contentsOf: word)
      }
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

extension Finding.Participant {
  /// `nil` when no frame of this thread is the user's.
  fileprivate var fingerprintPart: UInt64? {
    var hash = FNV1a()
    let isUsers = hash.mix(frames.isEmpty ? submitted : frames, as: "wait")
    let held = holds.map { hash.mix($0.frames, as: "hold") }
    return isUsers || held.contains(true) ? hash.value : nil
  }
}

extension Finding.Fact {
  /// `nil` when no frame of this place is the user's.
  fileprivate var fingerprintPart: UInt64? {
    var hash = FNV1a()
    return hash.mix(frames, as: "fact") ? hash.value : nil
  }
}

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923): the same in every process, which `Hasher`
/// is not.
package struct FNV1a {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  private static let prime: UInt64 = 0x0000_0100_0000_01b3

  package init() {}

  /// Sixteen digits, lower case.
  package var digits: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  package mutating func mix(byte: UInt8) {
    value ^= UInt64(byte)
    value &*= Self.prime
  }

  /// Mixes in one text; 0xFF, which no UTF-8 contains, ends it, so that "ab", "c" is not "a", "bc".
  package mutating func mix(_ text: String) {
    var text = text
    text.withUTF8 { mix(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// The same of a text's UTF-8.
  package mutating func mix(utf8 text: UnsafeRawBufferPointer) {
    var value = value
    for byte in text {
      value ^= UInt64(byte)
      value &*= Self.prime
    }
    self.value = value
    mix(byte: 0xFF)
  }

  package mutating func mix(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      mix(byte: UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Mixes in the user's part of a stack, repeats of a recursion once, and returns whether there
  /// was any.
  fileprivate mutating func mix(_ stack: Backtrace, as role: String) -> Bool {
    var names: [String] = []
    // By index: most frames are the system's, and need not be copied to be passed over.
    for index in stack.indices where !stack[index].isSystem {
      let name = stack[index].name
      if name == names.last { continue }
      names.append(name)
      if names.count == Finding.fingerprintFrames { break }
    }
    guard !names.isEmpty else { return false }
    mix(role)
    for name in names { mix(name) }
    return true
  }
}
