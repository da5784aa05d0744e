/// The functions, or the variables, that a file has names for, by address.
///
/// Of the full table, or of the dynamic linker's where that was stripped.
struct SymbolTable {
  enum Content {
    case functions, variables
  }

  struct Match {
    let name: String
    let start: UInt64
  }

  private struct Entry {
    let start: UInt64
    let size: UInt32
    /// The offset of the name.
    let name: UInt32
  }

  private let names: UnsafeRawBufferPointer
  private var entries: [Entry] = []
  private let content: Content

  init(_ file: ELFFile, _ content: Content) {
    self.content = content
    let table =
      file.firstSection(ofKind: ELFFile.Section.symbolTable)
      ?? file.firstSection(ofKind: ELFFile.Section.dynamicSymbolTable)
    guard let table, let texts = file.section(table.link) else {
      names = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    names = texts.contents(in: file.bytes)
    collect(table.contents(in: file.bytes))
    // Of the same start the one that is looked at first comes last.
    entries.sort { ($0.start, $0.size) < ($1.start, $1.size) }
  }

  private mutating func collect(_ table: UnsafeRawBufferPointer) {
    let count = table.count / Layout.entry
    var cursor = ByteCursor(table)
    entries.reserveCapacity(count)
    for _ in 0..<count {
      let name = cursor.load(UInt32.self)
      let type = cursor.byte() & 0xF
      cursor.skip(1)
      let section = cursor.half()
      let (start, size) = (cursor.giant(), cursor.giant())
      guard Layout.isOf(content, type), section != Layout.undefined, section != Layout.absolute
      else {
        continue
      }
      entries.append(Entry(start: start, size: UInt32(clamping: size), name: name))
    }
  }

  private enum Layout {
    static let entry = 24
    static let undefined: UInt64 = 0
    static let absolute: UInt64 = 0xFFF1
    static func isOf(_ content: Content, _ type: UInt8) -> Bool {
      switch content {
      case .functions: type == 2 || type == 10
      case .variables: type == 1
      }
    }
  }

  /// The symbol that covers the address; a function without a size, as assembly has it, covers
  /// everything up to the next.
  func find(_ address: UInt64) -> Match? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    let candidates = entries[max(0, low - Self.overlapping)..<low].reversed()
    let found = candidates.first { entry in
      let distance = address - entry.start
      return distance < UInt64(entry.size)
        || (content == .functions && entry.size == 0 && entry.start == candidates.first?.start)
    }
    return found.map { entry in
      var cursor = ByteCursor(names, at: UInt64(entry.name))
      return Match(name: cursor.text(), start: entry.start)
    }
  }

  /// How many symbols may lie inside of a longer one.
  private static let overlapping = 16
}
