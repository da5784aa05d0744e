/// Properties of a program that are known before it is started.
///
/// Data that lies outside the file, or makes no sense, counts as absent.
extension ELFFile {
  /// The path of the dynamic loader; `nil` for a program that needs no loader, or a library.
  package var loader: String? {
    segments.first { $0.kind == Mark.interpreter }
      .flatMap { bytes.part(at: $0.offset, count: $0.size) }
      .map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Whether it names a loader or needs a library, and so is linked when it is started.
  ///
  /// A static executable may have a dynamic section as well, in which it names no library.
  package var isDynamic: Bool {
    if loader != nil { return true }
    var entries = ByteCursor(contents(".dynamic"))
    while !entries.isAtEnd {
      if entries.giant() == Mark.neededLibrary { return true }
      entries.skip(8)
    }
    return false
  }

  /// Returns whether the file has data in a section of this name, compressed or not.
  package func hasSection(_ name: StaticString) -> Bool {
    sections.contains { hasName($0, name) && $0.isInFile }
  }

  /// Returns whether the image itself defines a function or variable of this name.
  package func defines(_ symbol: String) -> Bool { has(symbol, isDefined: true) }

  /// Returns whether the image uses a function or variable of this name that it does not define.
  package func asksFor(_ symbol: String) -> Bool { has(symbol, isDefined: false) }

  private func has(_ symbol: String, isDefined: Bool) -> Bool {
    var symbol = symbol
    return symbol.withUTF8 { wanted in
      sections.contains { table in
        let isTable =
          table.kind == Section.symbolTable || table.kind == Section.dynamicSymbolTable
        guard isTable, let names = section(table.link)?.contents(in: bytes) else { return false }
        let wanted = UnsafeRawBufferPointer(wanted)
        return Self.has(wanted, isDefined: isDefined, in: table.contents(in: bytes), names)
      }
    }
  }

  private static func has(
    _ symbol: UnsafeRawBufferPointer, isDefined: Bool, in table: UnsafeRawBufferPointer,
    _ names: UnsafeRawBufferPointer
  ) -> Bool {
    var entries = ByteCursor(table)
    while !entries.isAtEnd {
      let name = entries.word()
      entries.skip(2)
      // Section 0 stands for a symbol that another image defines.
      let fits = (entries.half() != 0) == isDefined
      entries.skip(16)
      if fits, !entries.isBroken, names.hasText(symbol, at: name) { return true }
    }
    return false
  }

  private enum Mark {
    static let interpreter: UInt64 = 3
    static let neededLibrary: UInt64 = 1
  }
}
