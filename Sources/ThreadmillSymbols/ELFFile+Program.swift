/// What is known of a program before it is started.
///
/// Whatever lies outside the file, or makes no sense, is taken for absent.
extension ELFFile {
  /// The program that puts it together; `nil` for one that does so by itself, or is a library.
  package var loader: String? {
    segments.first { $0.kind == Mark.interpreter }
      .flatMap { bytes.part(at: $0.offset, count: $0.size) }
      .map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// It names a loader or needs a library: it is put together when it is started.
  ///
  /// A static executable may have a dynamic section as well, and needs nobody by it.
  package var isDynamic: Bool {
    if loader != nil { return true }
    var entries = ByteCursor(contents(".dynamic"))
    while !entries.isAtEnd {
      if entries.giant() == Mark.neededLibrary { return true }
      entries.skip(8)
    }
    return false
  }

  /// Whether something is in a section of this name, in the open or compressed.
  package func hasSection(_ name: StaticString) -> Bool {
    sections.contains { hasName($0, name) && $0.isInFile }
  }

  /// Whether the image itself has a function or variable of this name.
  package func defines(_ symbol: String) -> Bool {
    var symbol = symbol
    return symbol.withUTF8 { wanted in
      sections.contains { table in
        let isTable =
          table.kind == Section.symbolTable || table.kind == Section.dynamicSymbolTable
        guard isTable, let names = section(table.link)?.contents(in: bytes) else { return false }
        return Self.has(UnsafeRawBufferPointer(wanted), in: table.contents(in: bytes), names)
      }
    }
  }

  private static func has(
    _ symbol: UnsafeRawBufferPointer, in table: UnsafeRawBufferPointer,
    _ names: UnsafeRawBufferPointer
  ) -> Bool {
    var entries = ByteCursor(table)
    while !entries.isAtEnd {
      let name = entries.word()
      entries.skip(2)
      // Section 0 stands for a symbol that comes from elsewhere.
      let isDefined = entries.half() != 0
      entries.skip(16)
      if isDefined, !entries.isBroken, names.hasText(symbol, at: name) { return true }
    }
    return false
  }

  private enum Mark {
    static let interpreter: UInt64 = 3
    static let neededLibrary: UInt64 = 1
  }
}
