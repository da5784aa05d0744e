/// Finds where a unit declares the variable that has a fixed address.
///
/// Entries of variables are read one after the other: no compiler writes an index of them. Somebody
/// asks for a few variables of a process at most.
struct StaticVariables {
  /// A declaration: the name in the source, and the place by the numbers of the unit.
  struct Match {
    fileprivate(set) var name: Value?
    fileprivate(set) var file: UInt64 = 0
    fileprivate(set) var line: UInt64 = 0
  }

  private let unit: DebugUnit
  private let sections: DebugSections

  init(_ unit: DebugUnit, _ sections: DebugSections) {
    (self.unit, self.sections) = (unit, sections)
  }

  /// Returns the variable that begins at an address; `nil` if the unit has none.
  func find(_ address: UInt64) -> Match? {
    var cursor = ByteCursor(sections.info, at: UInt64(unit.header.entries.lowerBound))
    cursor.limit(to: UInt64(unit.header.entries.count))
    var depth = 0
    while !cursor.isAtEnd {
      let code = cursor.unsignedLEB()
      if code == 0 {
        depth -= 1
        if depth <= 0 { break }
        continue
      }
      guard let shape = unit.abbreviations.shape(code) else { break }
      if shape.hasChildren { depth += 1 }
      if shape.tag == Tag.variable {
        if let match = read(shape, &cursor, wanted: address) { return match }
      } else {
        unit.skip(shape, &cursor)
      }
    }
    return nil
  }

  private func read(
    _ shape: Abbreviations.Shape, _ cursor: inout ByteCursor, wanted: UInt64
  ) -> Match? {
    var match = Match()
    var location: Range<Int>?
    unit.read(shape, &cursor) { name, value in
      switch (name, value) {
      case (AttributeName.location, .bytes(let bytes)): location = bytes
      case (AttributeName.name, _): match.name = value
      case (AttributeName.declarationFile, .number(let file)): match.file = file
      case (AttributeName.declarationLine, .number(let line)): match.line = line
      default: break
      }
    }
    return location.flatMap(address) == wanted ? match : nil
  }

  /// The address that an expression stands for; `nil` for one that needs a running program: DWARF
  /// 5, section 2.5.
  private func address(_ expression: Range<Int>) -> UInt64? {
    var cursor = ByteCursor(sections.info, at: UInt64(expression.lowerBound))
    cursor.limit(to: UInt64(expression.count))
    let base: UInt64?
    switch cursor.byte() {
    case Operation.address: base = cursor.unsigned(bytes: unit.header.encoding.addressSize)
    case Operation.addressIndex, Operation.gnuAddressIndex:
      base = unit.address(.addressIndex(cursor.unsignedLEB()), sections)
    default: return nil
    }
    var added: UInt64 = 0
    if !cursor.isAtEnd {
      guard cursor.byte() == Operation.plus else { return nil }
      added = cursor.unsignedLEB()
    }
    return cursor.isBroken || !cursor.isAtEnd ? nil : base.map { $0 &+ added }
  }

  private enum Operation {
    static let address: UInt8 = 0x03
    static let plus: UInt8 = 0x23
    static let addressIndex: UInt8 = 0xA1
    static let gnuAddressIndex: UInt8 = 0xFB
  }
}
