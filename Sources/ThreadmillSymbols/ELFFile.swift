/// An executable or a library as it lies in a file: its sections, its program headers.
///
/// Reads 64-bit little-endian ELF, the format of Swift for Linux. The bytes belong to the caller.
package struct ELFFile {
  let bytes: UnsafeRawBufferPointer
  private let sectionHeaders: UInt64
  private let sectionCount: Int
  private let names: UnsafeRawBufferPointer
  /// The table of program headers, as the loader sees it as well.
  let programHeaders: UnsafeRawBufferPointer
  /// The machine that it is made for, as ELF numbers machines.
  package let machine: UInt64

  /// Reads the headers; `nil` if the bytes are no file of that kind.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    var header = ByteCursor(bytes)
    guard header.word() == Layout.magic, header.byte() == Layout.class64,
      header.byte() == Layout.littleEndian
    else { return nil }
    header.skip(12)
    machine = header.half()
    header.skip(12)
    let programTable = header.giant()
    let sectionTable = header.giant()
    header.skip(6)
    let programCount = (header.half(), header.half())
    let sectionSize = header.half()
    (sectionCount, sectionHeaders) = (Int(header.half()), sectionTable)
    let nameSection = Int(header.half())
    guard !header.isBroken, sectionSize == Layout.sectionHeader || sectionCount == 0,
      programCount.0 == Layout.programHeader || programCount.1 == 0
    else { return nil }
    self.bytes = bytes
    programHeaders =
      bytes.part(at: programTable, count: programCount.1 * Layout.programHeader) ?? bytes.none
    let section = Section(bytes, table: sectionTable, index: nameSection, of: sectionCount)
    names = section.map { $0.contents(in: bytes) } ?? bytes.none
  }

  private enum Layout {
    static let magic: UInt64 = 0x464C_457F
    static let class64: UInt8 = 2
    static let littleEndian: UInt8 = 1
    static let sectionHeader: UInt64 = 64
    static let programHeader: UInt64 = 56
    static let load: UInt64 = 1
    static let note: UInt64 = 4
  }

  // MARK: Sections

  struct Section {
    fileprivate let name: UInt64
    let kind: UInt64
    private let flags: UInt64
    private let offset: UInt64
    private let size: UInt64
    /// For a table of symbols: the index of the section with their names.
    let link: Int

    static let symbolTable: UInt64 = 2
    static let dynamicSymbolTable: UInt64 = 11
    private static let noBits: UInt64 = 8
    private static let compressed: UInt64 = 1 << 11

    // Seldom needed, and by many functions: a copy in each would be a third of this module's code.
    @inline(never)
    fileprivate init?(
      _ bytes: UnsafeRawBufferPointer, table: UInt64, index: Int, of count: Int
    ) {
      guard index >= 0, index < count else { return nil }
      var cursor = ByteCursor(bytes, at: table &+ UInt64(index) &* Layout.sectionHeader)
      (name, kind) = (cursor.word(), cursor.word())
      flags = cursor.giant()
      cursor.skip(8)
      (offset, size) = (cursor.giant(), cursor.giant())
      link = Int(cursor.word())
      if cursor.isBroken { return nil }
    }

    var isInFile: Bool { kind != Self.noBits && size > 0 }

    /// Returns the section's bytes; empty if the file has none of them, or has them compressed.
    func contents(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      guard kind != Self.noBits, flags & Self.compressed == 0 else { return bytes.none }
      return bytes.part(at: offset, count: size) ?? bytes.none
    }
  }

  func section(_ index: Int) -> Section? {
    Section(bytes, table: sectionHeaders, index: index, of: sectionCount)
  }

  var sections: some Sequence<Section> { (0..<sectionCount).lazy.compactMap(section) }

  func firstSection(ofKind kind: UInt64) -> Section? { sections.first { $0.kind == kind } }

  /// Returns the bytes of the section with this name; empty if there is none.
  package func contents(_ name: StaticString) -> UnsafeRawBufferPointer {
    sections.first { hasName($0, name) }?.contents(in: bytes) ?? bytes.none
  }

  func hasName(_ section: Section, _ name: StaticString) -> Bool {
    let wanted = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return names.hasText(wanted, at: section.name)
  }

  // MARK: The loader's view

  struct Segment {
    let kind: UInt64
    let offset: UInt64
    let address: UInt64
    let size: UInt64

    fileprivate func has(_ other: Segment) -> Bool {
      other.address >= address && other.size <= size && other.address - address <= size - other.size
    }
  }

  var segments: [Segment] {
    let count = programHeaders.count / Int(Layout.programHeader)
    return (0..<count).map { index in
      var cursor = ByteCursor(programHeaders, at: UInt64(index) * Layout.programHeader)
      let kind = cursor.word()
      cursor.skip(4)
      let (offset, address) = (cursor.giant(), cursor.giant())
      cursor.skip(8)
      return Segment(kind: kind, offset: offset, address: address, size: cursor.giant())
    }
  }

  /// The notes that are loaded, the build's identifier among them: their bytes in the file, and
  /// their address in memory, counted from where the image was loaded.
  var notes: [(contents: UnsafeRawBufferPointer, address: UInt64)] {
    let segments = segments
    return segments.compactMap { note in
      let isLoaded = segments.contains { $0.kind == Layout.load && $0.has(note) }
      guard note.kind == Layout.note, isLoaded else { return nil }
      return bytes.part(at: note.offset, count: note.size).map { ($0, note.address) }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the part at an offset; `nil` if it does not lie inside completely.
  func part(at offset: UInt64, count: UInt64) -> UnsafeRawBufferPointer? {
    guard offset <= UInt64(self.count), count <= UInt64(self.count) - offset else { return nil }
    return UnsafeRawBufferPointer(rebasing: self[Int(offset)..<Int(offset + count)])
  }

  /// Returns whether this text lies at the offset, ended by a zero byte.
  @inline(never)
  func hasText(_ text: UnsafeRawBufferPointer, at offset: UInt64) -> Bool {
    guard let found = part(at: offset, count: UInt64(text.count) + 1) else { return false }
    return found[text.count] == 0 && found.prefix(text.count).elementsEqual(text)
  }

  fileprivate var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
