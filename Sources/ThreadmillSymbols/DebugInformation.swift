/// The debug information of one file: finds the functions and the source place at an address.
///
/// Reads only units that have code at a wanted address, each unit once.
final class DebugInformation {
  struct Place {
    let path: String
    let line: Int
    let column: Int
  }

  /// An inlined function, and the place of the code inside its body.
  struct InlinedCall {
    let name: String?
    let place: Place?
  }

  struct Match {
    /// Innermost first.
    var calls: [InlinedCall] = []
    var place: Place?
    /// The function that the calls were inlined into, by the linker's name.
    var function: String?
  }

  private struct Unit {
    let unit: DebugUnit
    var lines: LineTable?
    var calls: InlinedCalls?
  }

  private let sections: DebugSections
  private let index: UnitIndex
  private var units: [Int: Unit] = [:]
  /// The number of units that could not be read to their end.
  private(set) var broken: Int
  private var unreadable: Set<Int> = []

  init(_ sections: DebugSections) {
    self.sections = sections
    index = UnitIndex(sections)
    broken = index.broken
  }

  /// Returns the functions and the place at an address; `nil` if nothing is known. With `orNear`,
  /// code without a line has the line of the code around it.
  func find(_ address: UInt64, orNear: Bool) -> Match? {
    for number in index.units(at: address) {
      guard let unit = read(number) else { continue }
      let found = unit.calls?.find(address)
      var row = unit.lines?.row(at: address)
      if found == nil && row == nil { continue }
      if orNear, let found, row?.line == 0 { row = self.row(near: address, found, unit) ?? row }
      return match(found, row, unit)
    }
    return nil
  }

  /// Returns the name and the declaration of the variable that begins at an address; `nil` if no
  /// unit declares one there. Reads units until one does.
  func variable(at address: UInt64) -> (name: String?, place: Place?)? {
    for number in index.headers.indices {
      guard let unit = read(number, onlyNames: true)?.unit,
        let found = StaticVariables(unit, sections).find(address)
      else { continue }
      let place = read(number).flatMap {
        self.place($0, file: found.file, line: found.line, column: 0)
      }
      return (found.name.flatMap { unit.text($0, sections) }, place)
    }
    return nil
  }

  /// Returns the code of all files with a name: by path and line. Reads the lines of all units.
  func code(ofFilesNamed name: String) -> [String: [Int: [Range<UInt64>]]] {
    var code: [String: [Int: [Range<UInt64>]]] = [:]
    for header in index.headers {
      guard let unit = DebugUnit(header, sections, onlyRoot: true), let offset = unit.statements,
        let lines = LineTable(sections, unit, at: offset, onlyWith: name)
      else { continue }
      let paths = lines.files.paths(named: name)
      lines.eachPiece { row, piece in
        guard let path = paths[row.file] else { return }
        code[path, default: [:]][Int(row.line), default: []].append(piece)
      }
    }
    return code
  }

  /// Returns the first row with a line behind an address, or else the last one before it, of the
  /// same function and the same inlined calls. Code that the compiler adds stands right before the
  /// code for which it was added.
  private func row(
    near address: UInt64, _ found: InlinedCalls.Match, _ unit: Unit
  ) -> LineTable.Row? {
    func first(of rows: some Sequence<LineTable.Row>) -> LineTable.Row? {
      rows.lazy.prefix { found.code.contains($0.address) }
        .first { $0.line > 0 && unit.calls?.find($0.address)?.calls == found.calls }
    }
    return unit.lines.flatMap { lines in
      first(of: lines.rows(behind: address)) ?? first(of: lines.rows(before: address))
    }
  }

  private func match(
    _ found: InlinedCalls.Match?, _ row: LineTable.Row?, _ unit: Unit
  ) -> Match {
    var match = Match()
    match.place = row.flatMap { row in
      place(unit, file: UInt64(row.file), line: UInt64(row.line), column: UInt64(row.column))
    }
    for entry in found?.calls.reversed() ?? [] {
      let (name, caller) = call(entry, unit)
      match.calls.append(InlinedCall(name: name, place: match.place))
      match.place = caller
    }
    match.function = found.flatMap { name(of: UInt64($0.function), unit.unit, depth: 0) }
    return match
  }

  private func place(_ unit: Unit, file: UInt64, line: UInt64, column: UInt64) -> Place? {
    guard let path = unit.lines?.files.path(file) else { return nil }
    return Place(path: path, line: Int(clamping: line), column: Int(clamping: column))
  }

  // MARK: Units

  private func read(_ number: Int, onlyNames: Bool = false) -> Unit? {
    if let known = units[number], onlyNames || known.calls != nil { return known }
    if unreadable.contains(number) { return nil }
    guard let unit = DebugUnit(index.headers[number], sections) else {
      unreadable.insert(number)
      broken += 1
      return nil
    }
    var read = Unit(unit: unit)
    if !onlyNames {
      read.lines = unit.statements.flatMap { LineTable(sections, unit, at: $0) }
      read.calls = InlinedCalls(unit, sections)
      if read.calls?.isBroken == true { broken += 1 }
    }
    units[number] = read
    return read
  }

  // MARK: Entries

  /// Returns the name of the function that an inlined call calls, and the place of the call.
  private func call(_ entry: Int, _ unit: Unit) -> (name: String?, place: Place?) {
    var origin: UInt64?
    var (file, line, column): (UInt64, UInt64, UInt64) = (0, 0, 0)
    read(UInt64(entry), unit.unit) { name, value in
      switch (name, value) {
      case (AttributeName.abstractOrigin, .reference(let offset)): origin = offset
      case (AttributeName.callFile, .number(let number)): file = number
      case (AttributeName.callLine, .number(let number)): line = number
      case (AttributeName.callColumn, .number(let number)): column = number
      default: break
      }
    }
    let callee = origin.flatMap { name(referredTo: $0, by: unit.unit, depth: 0) }
    return (callee, place(unit, file: file, line: line, column: column))
  }

  private func read(_ entry: UInt64, _ unit: DebugUnit, _ take: (UInt16, Value) -> Void) {
    var cursor = ByteCursor(sections.info, at: entry)
    guard let shape = unit.abbreviations.shape(cursor.unsignedLEB()) else { return }
    unit.read(shape, &cursor, take)
  }

  /// Returns the name of an entry, which may belong to another unit.
  private func name(referredTo entry: UInt64, by unit: DebugUnit, depth: Int) -> String? {
    let own = UInt64(unit.header.entries.lowerBound)..<UInt64(unit.header.entries.upperBound)
    if own.contains(entry) { return name(of: entry, unit, depth: depth) }
    guard let number = index.unit(containing: entry), let other = read(number, onlyNames: true)
    else { return nil }
    return name(of: entry, other.unit, depth: depth)
  }

  /// Returns an entry's name for the linker. If it has none, returns the name of the entry that it
  /// is an instance of, or else its name in the source.
  private func name(of entry: UInt64, _ unit: DebugUnit, depth: Int) -> String? {
    var (linkage, plain): (Value?, Value?)
    var origin: UInt64?
    read(entry, unit) { name, value in
      switch (name, value) {
      case (AttributeName.linkageName, _), (AttributeName.oldLinkageName, _): linkage = value
      case (AttributeName.name, _): plain = value
      case (AttributeName.abstractOrigin, .reference(let offset)),
        (AttributeName.specification, .reference(let offset)):
        origin = offset
      default: break
      }
    }
    if let linkage { return unit.text(linkage, sections) }
    if let origin, depth < Self.chain,
      let name = name(referredTo: origin, by: unit, depth: depth + 1)
    {
      return name
    }
    return plain.flatMap { unit.text($0, sections) }
  }

  /// The limit for references from entry to entry, more than any compiler needs: those in damaged
  /// bytes may form a circle.
  private static let chain = 8
}
