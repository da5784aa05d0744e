/// Where a unit of `.debug_info` lies, and how it is written: DWARF 5, section 7.5.1.
struct UnitHeader {
  let offset: UInt64
  /// Where the first entry begins, and the unit ends.
  let entries: Range<Int>
  let encoding: Encoding
  let abbreviations: UInt64

  /// Reads the header that is next, and goes on to the next unit.
  ///
  /// `nil` for what has no code in it, such as a unit of types, and for what cannot be read.
  static func read(_ cursor: inout ByteCursor) -> UnitHeader? {
    let offset = UInt64(cursor.position)
    let (length, is64) = cursor.initialLength()
    var unit = cursor
    unit.limit(to: length)
    cursor.skip(length)
    let version = UInt16(truncatingIfNeeded: unit.half())
    guard !unit.isBroken, (2...5).contains(version) else { return nil }
    let kind = version == 5 ? unit.byte() : Kind.compile
    let early = version == 5 ? Int(unit.byte()) : 0
    let abbreviations = unit.unsigned(bytes: is64 ? 8 : 4)
    let encoding = Encoding(
      version: version, is64: is64, addressSize: version == 5 ? early : Int(unit.byte()))
    if kind == Kind.skeleton { unit.skip(8) }
    guard !unit.isBroken, kind == Kind.compile || kind == Kind.partial || kind == Kind.skeleton
    else { return nil }
    return UnitHeader(
      offset: offset, entries: unit.position..<unit.end, encoding: encoding,
      abbreviations: abbreviations)
  }

  private enum Kind {
    static let compile: UInt8 = 1
    static let partial: UInt8 = 3
    static let skeleton: UInt8 = 4
  }
}

/// A unit, and what the attributes of its first entry say.
struct DebugUnit {
  let header: UnitHeader
  let abbreviations: Abbreviations
  private(set) var code = CodeExtent()
  private(set) var statements: UInt64?
  private var folder = Value.other
  private var name = Value.other
  private var addressBase: UInt64?
  private var textOffsetsBase: UInt64?
  private var rangeListsBase: UInt64?

  /// With `onlyRoot`, no more is read than the first entry needs.
  init?(_ header: UnitHeader, _ sections: DebugSections, onlyRoot: Bool = false) {
    var cursor = ByteCursor(sections.info, at: UInt64(header.entries.lowerBound))
    cursor.limit(to: UInt64(header.entries.count))
    let code = cursor.unsignedLEB()
    let abbreviations = Abbreviations(
      sections.abbreviations, at: header.abbreviations, header.encoding,
      upTo: onlyRoot ? code : nil)
    guard let abbreviations, let shape = abbreviations.shape(code) else { return nil }
    (self.header, self.abbreviations) = (header, abbreviations)
    read(shape, &cursor) { unit, name, value in unit.take(name, value) }
    if cursor.isBroken { return nil }
  }

  private mutating func take(_ attribute: UInt16, _ value: Value) {
    code.take(attribute, value)
    switch (attribute, value) {
    case (AttributeName.name, _): name = value
    case (AttributeName.folder, _): folder = value
    case (AttributeName.statements, .sectionOffset(let offset)),
      (AttributeName.statements, .number(let offset)):
      statements = offset
    case (AttributeName.addressBase, .sectionOffset(let base)): addressBase = base
    case (AttributeName.textOffsetsBase, .sectionOffset(let base)): textOffsetsBase = base
    case (AttributeName.rangeListsBase, .sectionOffset(let base)): rangeListsBase = base
    default: break
    }
  }

  private mutating func read(
    _ shape: Abbreviations.Shape, _ cursor: inout ByteCursor,
    _ take: (inout DebugUnit, UInt16, Value) -> Void
  ) {
    for index in shape.attributes {
      let attribute = abbreviations.attributes[index]
      let value = cursor.value(
        attribute.form, header.encoding, unit: header.offset, constant: attribute.constant)
      take(&self, attribute.name, value)
    }
  }

  /// Reads the attributes of an entry of this shape.
  @inline(__always)
  func read(
    _ shape: Abbreviations.Shape, _ cursor: inout ByteCursor, _ take: (UInt16, Value) -> Void
  ) {
    for index in shape.attributes {
      let attribute = abbreviations.attributes[index]
      let value = cursor.value(
        attribute.form, header.encoding, unit: header.offset, constant: attribute.constant)
      take(attribute.name, value)
    }
  }

  @inline(__always)
  func skip(_ shape: Abbreviations.Shape, _ cursor: inout ByteCursor) {
    if let size = shape.size { return cursor.skip(size) }
    for index in shape.attributes {
      cursor.skip(abbreviations.attributes[index].form, header.encoding)
    }
  }

  // MARK: What lies elsewhere

  func text(_ value: Value, _ sections: DebugSections) -> String? {
    switch value {
    case .text(let section, let offset): return sections.text(section, at: offset)
    case .textIndex(let index):
      let size = UInt64(header.encoding.offsetSize)
      let base = textOffsetsBase ?? (size * 2)
      var cursor = ByteCursor(sections.textOffsets, at: base &+ index &* size)
      let offset = cursor.unsigned(bytes: Int(size))
      return cursor.isBroken ? nil : sections.text(.str, at: offset)
    default: return nil
    }
  }

  func address(_ value: Value, _ sections: DebugSections) -> UInt64? {
    switch value {
    case .address(let address): return address
    case .addressIndex(let index):
      let size = UInt64(header.encoding.addressSize)
      var cursor = ByteCursor(sections.addresses, at: (addressBase ?? 8) &+ index &* size)
      let address = cursor.unsigned(bytes: Int(size))
      return cursor.isBroken ? nil : address
    default: return nil
    }
  }

  /// Where a list of ranges begins, in the section of this version.
  func rangeList(_ value: Value, _ sections: DebugSections) -> UInt64? {
    switch value {
    case .sectionOffset(let offset): return offset
    case .number(let offset): return offset
    case .rangeListIndex(let index):
      let size = UInt64(header.encoding.offsetSize)
      let base = rangeListsBase ?? (size == 8 ? 20 : 12)
      var cursor = ByteCursor(sections.rangeLists, at: base &+ index &* size)
      let offset = cursor.unsigned(bytes: Int(size))
      return cursor.isBroken ? nil : base &+ offset
    default: return nil
    }
  }

  /// What names in the table of lines are relative to.
  func folder(_ sections: DebugSections) -> String? { text(folder, sections) }
  func name(_ sections: DebugSections) -> String? { text(name, sections) }
}
