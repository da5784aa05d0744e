/// The names of folders and files of a unit's table of lines; looked up one by one, never listed.
struct FileTable {
  private let sections: DebugSections
  private let unit: DebugUnit
  private let header: LineTable.Header

  init(_ sections: DebugSections, _ unit: DebugUnit, _ header: LineTable.Header) {
    (self.sections, self.unit, self.header) = (sections, unit, header)
  }

  /// How many operands an operation has that nobody knows.
  func operands(of code: UInt8, _ lengths: Range<Int>) -> UInt8 {
    let index = lengths.lowerBound + Int(code) - 1
    return lengths.contains(index) ? sections.lines[index] : 0
  }

  /// The path of a file, as far as the compiler was told; `nil` if there is no such file.
  func path(_ file: UInt64) -> String? {
    header.encoding.version >= 5 ? newPath(file) : oldPath(file)
  }

  /// The paths of the files with this name, by the files' numbers.
  func paths(named name: String) -> [UInt32: String] {
    var paths: [UInt32: String] = [:]
    func note(_ number: UInt64, _ text: String) {
      guard text.split(separator: "/").last.map(String.init) == name, let path = path(number)
      else { return }
      paths[UInt32(clamping: number)] = path
    }
    if header.encoding.version >= 5 { eachNewName(note) } else { eachOldName(note) }
    return paths
  }

  /// A name is relative to its folder, and that to the folder in which the compiler ran.
  private func path(_ name: String, in folder: String?) -> String {
    guard let folder, !folder.isEmpty, !name.hasPrefix("/") else { return name }
    let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    guard !path.hasPrefix("/"), let root = unit.folder(sections), !root.isEmpty else { return path }
    return "\(root)/\(path)"
  }

  // MARK: Before DWARF 5

  private func eachOldName(_ visit: (UInt64, String) -> Void) {
    if let name = unit.name(sections) { visit(0, name) }
    var cursor = ByteCursor(sections.lines, at: UInt64(header.names))
    while cursor.byteAhead != 0, !cursor.isBroken { cursor.skipText() }
    cursor.skip(1)
    var number: UInt64 = 1
    while cursor.byteAhead != 0, !cursor.isBroken {
      var text = cursor
      visit(number, text.text())
      skipOldEntry(&cursor)
      number += 1
    }
  }

  private func oldPath(_ file: UInt64) -> String? {
    if file == 0 { return unit.name(sections).map { path($0, in: unit.folder(sections)) } }
    var cursor = ByteCursor(sections.lines, at: UInt64(header.names))
    let folders = cursor
    while cursor.byteAhead != 0, !cursor.isBroken { cursor.skipText() }
    cursor.skip(1)
    for _ in 1..<file {
      if cursor.isBroken || cursor.byteAhead == 0 { return nil }
      skipOldEntry(&cursor)
    }
    guard cursor.byteAhead != 0, !cursor.isBroken else { return nil }
    let name = cursor.text()
    return path(name, in: oldFolder(cursor.unsignedLEB(), folders))
  }

  private func skipOldEntry(_ cursor: inout ByteCursor) {
    cursor.skipText()
    for _ in 0..<3 { cursor.skipLEB() }
  }

  private func oldFolder(_ index: UInt64, _ start: ByteCursor) -> String? {
    guard index > 0 else { return unit.folder(sections) }
    var cursor = start
    for _ in 1..<index {
      if cursor.isBroken || cursor.byteAhead == 0 { return nil }
      cursor.skipText()
    }
    return cursor.text()
  }

  // MARK: DWARF 5

  private struct Format {
    var fields: [(kind: UInt64, form: Form)] = []

    init?(_ cursor: inout ByteCursor) {
      for _ in 0..<cursor.byte() {
        let kind = cursor.unsignedLEB()
        guard let form = Form(rawValue: UInt16(truncatingIfNeeded: cursor.unsignedLEB()))
        else { return nil }
        fields.append((kind, form))
      }
      if cursor.isBroken { return nil }
    }

    static let path: UInt64 = 1
    static let folder: UInt64 = 2
  }

  private func eachNewName(_ visit: (UInt64, String) -> Void) {
    var cursor = ByteCursor(sections.lines, at: UInt64(header.names))
    guard let folderFormat = Format(&cursor), skip(cursor.unsignedLEB(), folderFormat, &cursor),
      let fileFormat = Format(&cursor)
    else { return }
    let count = min(cursor.unsignedLEB(), UInt64(cursor.remaining))
    for number in 0..<count {
      guard let (name, _) = entry(fileFormat, &cursor) else { return }
      visit(number, name)
    }
  }

  private func newPath(_ file: UInt64) -> String? {
    var cursor = ByteCursor(sections.lines, at: UInt64(header.names))
    guard let folderFormat = Format(&cursor) else { return nil }
    let folderCount = cursor.unsignedLEB()
    let folders = cursor
    guard skip(folderCount, folderFormat, &cursor), let fileFormat = Format(&cursor) else {
      return nil
    }
    guard file < cursor.unsignedLEB(), skip(file, fileFormat, &cursor),
      let (name, folder) = entry(fileFormat, &cursor)
    else { return nil }
    return path(name, in: newFolder(folder, of: folderCount, folderFormat, folders))
  }

  private func newFolder(
    _ index: UInt64, of count: UInt64, _ format: Format, _ start: ByteCursor
  ) -> String? {
    var cursor = start
    guard index < count, skip(index, format, &cursor) else { return nil }
    return entry(format, &cursor)?.name
  }

  /// Every entry has a byte at least: more of them than bytes are broken.
  private func skip(_ count: UInt64, _ format: Format, _ cursor: inout ByteCursor) -> Bool {
    guard count <= UInt64(cursor.remaining) else { return false }
    for _ in 0..<count {
      for field in format.fields { cursor.skip(field.form, header.encoding) }
    }
    return !cursor.isBroken
  }

  private func entry(
    _ format: Format, _ cursor: inout ByteCursor
  ) -> (name: String, folder: UInt64)? {
    var name: String?
    var folder: UInt64 = 0
    for field in format.fields {
      let value = cursor.value(field.form, header.encoding, unit: 0, constant: 0)
      switch (field.kind, value) {
      case (Format.path, .text(.info, let position)):
        var text = ByteCursor(sections.lines, at: position)
        name = text.text()
      case (Format.path, _): name = unit.text(value, sections)
      case (Format.folder, .number(let index)): folder = index
      default: break
      }
    }
    return cursor.isBroken ? nil : name.map { ($0, folder) }
  }
}
