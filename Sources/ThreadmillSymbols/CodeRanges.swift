/// Which addresses an entry is about, as it is written.
struct CodeExtent {
  private(set) var low: Value?
  private var high: Value?
  private var ranges: Value?

  @inline(__always)
  mutating func take(_ attribute: UInt16, _ value: Value) {
    switch attribute {
    case AttributeName.lowPC: low = value
    case AttributeName.highPC: high = value
    case AttributeName.ranges: ranges = value
    default: break
    }
  }

  /// Calls `body` with every range that is not empty: from its first address up to the one behind
  /// its last.
  ///
  /// What the linker has dropped starts at zero, or near the greatest address, and is left out.
  func forEach(
    _ unit: DebugUnit, _ sections: DebugSections, _ body: (UInt64, UInt64) -> Void
  ) {
    if let ranges {
      guard let start = unit.rangeList(ranges, sections) else { return }
      let list = RangeList(unit: unit, sections: sections)
      return unit.header.encoding.version >= 5
        ? list.read(at: start, body) : list.readOld(at: start, body)
    }
    guard let low = low.flatMap({ unit.address($0, sections) }), let high else { return }
    let end: UInt64
    if case .number(let length) = high {
      end = low &+ length
    } else {
      end = unit.address(high, sections) ?? low
    }
    if low != 0, low < end { body(low, end) }
  }
}

/// A list of ranges: DWARF 5, section 7.25, and DWARF 4, section 2.17.3.
private struct RangeList {
  let unit: DebugUnit
  let sections: DebugSections

  typealias Body = (UInt64, UInt64) -> Void

  private var base: UInt64 { unit.code.low.flatMap { unit.address($0, sections) } ?? 0 }
  private var addressSize: Int { unit.header.encoding.addressSize }

  private func tell(_ low: UInt64, _ high: UInt64, _ body: Body) {
    if low != 0, low < high { body(low, high) }
  }

  func readOld(at start: UInt64, _ body: Body) {
    var cursor = ByteCursor(sections.ranges, at: start)
    var base = base
    let newBase: UInt64 = addressSize == 4 ? 0xFFFF_FFFF : .max
    while !cursor.isAtEnd {
      let low = cursor.unsigned(bytes: addressSize)
      let high = cursor.unsigned(bytes: addressSize)
      if cursor.isBroken || (low == 0 && high == 0) { return }
      if low == newBase { base = high } else { tell(base &+ low, base &+ high, body) }
    }
  }

  func read(at start: UInt64, _ body: Body) {
    var cursor = ByteCursor(sections.rangeLists, at: start)
    var base = base
    while !cursor.isAtEnd {
      let kind = cursor.byte()
      switch kind {
      case 0: return
      case 1: base = indexed(&cursor)
      case 5: base = address(&cursor)
      default: piece(kind, base, &cursor, body)
      }
    }
  }

  private func piece(_ kind: UInt8, _ base: UInt64, _ cursor: inout ByteCursor, _ body: Body) {
    let low: UInt64
    let high: UInt64
    switch kind {
    case 2: (low, high) = (indexed(&cursor), indexed(&cursor))
    case 3:
      low = indexed(&cursor)
      high = low &+ cursor.unsignedLEB()
    case 4: (low, high) = (base &+ cursor.unsignedLEB(), base &+ cursor.unsignedLEB())
    case 6: (low, high) = (address(&cursor), address(&cursor))
    case 7:
      low = address(&cursor)
      high = low &+ cursor.unsignedLEB()
    default: return cursor.fail()
    }
    if !cursor.isBroken { tell(low, high, body) }
  }

  private func address(_ cursor: inout ByteCursor) -> UInt64 {
    cursor.unsigned(bytes: addressSize)
  }

  private func indexed(_ cursor: inout ByteCursor) -> UInt64 {
    unit.address(.addressIndex(cursor.unsignedLEB()), sections) ?? 0
  }
}
