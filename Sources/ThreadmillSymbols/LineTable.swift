/// Maps addresses of one unit to places in the source: DWARF 2 to 5, section 6.2.
struct LineTable {
  struct Row {
    var address: UInt64 = 0
    var file: UInt32 = 1
    var line: UInt32 = 1
    var column: UInt32 = 0
  }

  /// Rows whose addresses grow, up to `end`.
  private struct Sequence {
    let low: UInt64
    let end: UInt64
    let rows: Range<Int>
  }

  private(set) var rows: [Row] = []
  private var sequences: [Sequence] = []
  let files: FileTable

  /// Reads the table at an offset; `nil` if its header cannot be read, or no file in it has the
  /// given name.
  init?(
    _ sections: DebugSections, _ unit: DebugUnit, at offset: UInt64, onlyWith name: String? = nil
  ) {
    var cursor = ByteCursor(sections.lines, at: offset)
    guard let header = Header(&cursor, unit.header.encoding) else { return nil }
    files = FileTable(sections, unit, header)
    if let name, files.paths(named: name).isEmpty { return nil }
    run(Program(header), &cursor)
  }

  /// Calls `visit` with each piece of code that belongs to a line, and the place of the line.
  func eachPiece(_ visit: (Row, Range<UInt64>) -> Void) {
    for sequence in sequences {
      for index in sequence.rows where rows[index].line > 0 {
        let end = index + 1 < sequence.rows.upperBound ? rows[index + 1].address : sequence.end
        if rows[index].address < end { visit(rows[index], rows[index].address..<end) }
      }
    }
  }

  /// Returns the last row at or before the address.
  func row(at address: UInt64) -> Row? { position(of: address).map { rows[$0.row] } }

  /// Returns the rows behind the row of an address, as far as its sequence goes, the nearest first.
  func rows(behind address: UInt64) -> ArraySlice<Row> {
    position(of: address).map { rows[($0.row + 1)..<$0.sequence.rows.upperBound] } ?? []
  }

  /// Returns the rows before the row of an address, as far as its sequence goes, the nearest first.
  func rows(before address: UInt64) -> ReversedCollection<ArraySlice<Row>> {
    (position(of: address).map { rows[$0.sequence.rows.lowerBound..<$0.row] } ?? []).reversed()
  }

  private func position(of address: UInt64) -> (row: Int, sequence: Sequence)? {
    guard let sequence = sequences.first(where: { $0.low <= address && address < $0.end }) else {
      return nil
    }
    var (low, high) = (sequence.rows.lowerBound, sequence.rows.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    return (max(low - 1, sequence.rows.lowerBound), sequence)
  }

  // MARK: The header

  struct Header {
    let encoding: Encoding
    /// The offset of the first byte of the names of folders and files.
    let names: Int
    fileprivate let program: Int
    fileprivate let step: UInt64
    fileprivate let lineBase: Int64
    fileprivate let lineRange: UInt64
    fileprivate let firstSpecial: UInt8
    fileprivate let operands: Range<Int>

    fileprivate init?(_ cursor: inout ByteCursor, _ unit: Encoding) {
      let (length, is64) = cursor.initialLength()
      cursor.limit(to: length)
      let version = UInt16(truncatingIfNeeded: cursor.half())
      guard (2...5).contains(version) else { return nil }
      let addressSize = version == 5 ? Int(cursor.byte()) : unit.addressSize
      if version == 5 { cursor.skip(1) }
      encoding = Encoding(version: version, is64: is64, addressSize: addressSize)
      let headerLength = cursor.unsigned(bytes: encoding.offsetSize)
      var behind = cursor
      behind.skip(headerLength)
      program = behind.position
      step = UInt64(cursor.byte())
      // Several operations in one instruction exist only on machines without Swift.
      if version >= 4, cursor.byte() > 1 { return nil }
      cursor.skip(1)
      lineBase = Int64(Int8(bitPattern: cursor.byte()))
      lineRange = UInt64(cursor.byte())
      firstSpecial = cursor.byte()
      guard lineRange > 0, firstSpecial > 0 else { return nil }
      let start = cursor.position
      cursor.skip(Int(firstSpecial) - 1)
      operands = start..<cursor.position
      names = cursor.position
      if cursor.isBroken || behind.isBroken { return nil }
      cursor = behind
    }
  }

  // MARK: The program

  private struct Program {
    let header: Header
    var row = Row()
    /// The line while it is counted; on the way it may be out of range.
    var line: Int64 = 1
    var start = 0

    init(_ header: Header) { self.header = header }

    mutating func reset(rows: Int) {
      (row, line, start) = (Row(), 1, rows)
    }

    mutating func advance(_ operations: UInt64) {
      row.address &+= operations &* header.step
    }
  }

  private mutating func run(_ program: Program, _ cursor: inout ByteCursor) {
    var program = program
    let first = program.header.firstSpecial
    while !cursor.isAtEnd {
      let code = cursor.byte()
      if code >= first {
        let special = UInt64(code - first)
        program.advance(special / program.header.lineRange)
        program.line &+= program.header.lineBase &+ Int64(special % program.header.lineRange)
        append(program)
      } else if code == 0 {
        extended(&program, &cursor)
      } else {
        standard(code, &program, &cursor)
      }
    }
  }

  @inline(__always)
  private mutating func append(_ program: Program) {
    var row = program.row
    row.line = UInt32(clamping: program.line)
    rows.append(row)
  }

  private mutating func standard(
    _ code: UInt8, _ program: inout Program, _ cursor: inout ByteCursor
  ) {
    switch code {
    case 1: append(program)
    case 2: program.advance(cursor.unsignedLEB())
    case 3: program.line &+= cursor.signedLEB()
    case 4: program.row.file = UInt32(clamping: cursor.unsignedLEB())
    case 5: program.row.column = UInt32(clamping: cursor.unsignedLEB())
    case 6, 7, 10, 11: break
    case 8: program.advance(UInt64(255 - program.header.firstSpecial) / program.header.lineRange)
    case 9: program.row.address &+= cursor.half()
    default:
      for _ in 0..<files.operands(of: code, program.header.operands) { cursor.skipLEB() }
    }
  }

  private mutating func extended(_ program: inout Program, _ cursor: inout ByteCursor) {
    let length = cursor.unsignedLEB()
    var rest = cursor
    rest.skip(length)
    switch cursor.byte() {
    case 1: finish(&program)
    case 2: program.row.address = cursor.unsigned(bytes: Int(clamping: length) - 1)
    default: break
    }
    cursor = rest
  }

  /// Ends a sequence. Drops its rows if they start at zero, as they do for code that the linker has
  /// dropped.
  private mutating func finish(_ program: inout Program) {
    let rows = program.start..<rows.count
    let low = rows.isEmpty ? 0 : self.rows[rows.lowerBound].address
    if low != 0 {
      sequences.append(Sequence(low: low, end: program.row.address, rows: rows))
    } else {
      self.rows.removeSubrange(rows)
    }
    program.reset(rows: self.rows.count)
  }
}
