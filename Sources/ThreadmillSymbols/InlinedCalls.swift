/// The functions of a unit, and the calls that the compiler has inlined into them.
struct InlinedCalls {
  private struct Function {
    let low: UInt64
    let high: UInt64
    /// The offset of its entry in `.debug_info`.
    let entry: Int
    let firstCall: Int
    var lastCall: Int
  }

  private struct Call {
    let low: UInt64
    let high: UInt64
    let entry: Int
  }

  private var functions: [Function] = []
  /// The calls in the order of their entries: a call comes before the calls inside of it.
  private var calls: [Call] = []
  private(set) var isBroken = false

  /// The code at an address: the function's entry and range of addresses, and the entries of the
  /// inlined calls, outermost first.
  struct Match {
    let function: Int
    let code: Range<UInt64>
    let calls: [Int]
  }

  func find(_ address: UInt64) -> Match? {
    let found = functions.first { $0.low <= address && address < $0.high }
    guard let found else { return nil }
    var entries: [Int] = []
    for call in calls[found.firstCall..<found.lastCall]
    where call.low <= address && address < call.high {
      entries.append(call.entry)
    }
    return Match(function: found.entry, code: found.low..<found.high, calls: entries)
  }

  // MARK: Reading

  /// Reads all entries of the unit once. If the bytes are damaged, keeps the entries before the
  /// damage.
  init(_ unit: DebugUnit, _ sections: DebugSections) {
    var cursor = ByteCursor(sections.info, at: UInt64(unit.header.entries.lowerBound))
    cursor.limit(to: UInt64(unit.header.entries.count))
    var open: [(depth: Int, functions: Range<Int>)] = []
    var depth = 0
    while !cursor.isAtEnd {
      let entry = cursor.position
      let code = cursor.unsignedLEB()
      if code == 0 {
        depth -= 1
        while let last = open.last, last.depth >= depth { close(open.removeLast().functions) }
        if depth <= 0 { break }
        continue
      }
      guard let shape = unit.abbreviations.shape(code) else {
        cursor.fail()
        break
      }
      let first = functions.count
      read(shape, entry, &cursor, unit, sections)
      if shape.hasChildren {
        if first < functions.count { open.append((depth, first..<functions.count)) }
        depth += 1
      }
    }
    while let last = open.popLast() { close(last.functions) }
    isBroken = cursor.isBroken || functions.count + calls.count >= Self.limit
  }

  /// The most functions and calls that are read. No unit has that many; damaged bytes may.
  private static let limit = 4_000_000

  private mutating func close(_ range: Range<Int>) {
    for index in range { functions[index].lastCall = calls.count }
  }

  @inline(__always)
  private mutating func read(
    _ shape: Abbreviations.Shape, _ entry: Int, _ cursor: inout ByteCursor, _ unit: DebugUnit,
    _ sections: DebugSections
  ) {
    guard shape.tag == Tag.subprogram || shape.tag == Tag.inlinedSubroutine else {
      return unit.skip(shape, &cursor)
    }
    var extent = CodeExtent()
    unit.read(shape, &cursor) { name, value in extent.take(name, value) }
    let call = calls.count
    extent.forEach(unit, sections) { low, high in
      guard functions.count + calls.count < Self.limit else { return }
      if shape.tag == Tag.subprogram {
        functions.append(
          Function(low: low, high: high, entry: entry, firstCall: call, lastCall: call))
      } else {
        calls.append(Call(low: low, high: high, entry: entry))
      }
    }
  }
}
