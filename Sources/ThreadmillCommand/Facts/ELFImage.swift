import Foundation

/// A program or library for Linux with 64 bits, little endian, as far as the doctor looks into it.
///
/// Whatever lies outside the file, or makes no sense, is taken for absent.
package struct ELFImage {
  private struct Section {
    var name: String
    var kind: UInt32
    var offset: Int
    var size: Int
    /// The section that belongs to this one: the names of a table of symbols.
    var link: Int
  }

  private let bytes: Data
  private let sections: [Section]
  /// It names a loader or needs a library: it is put together when it is started.
  package let isDynamic: Bool
  /// What it is made for, as ELF numbers machines.
  package let machine: UInt16
  /// The program that puts it together; `nil` for one that does so by itself, or is a library.
  package let loader: String?

  /// `nil` for anything else.
  package init?(contentsOf path: String) {
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    else { return nil }
    self.init(bytes)
  }

  package init?(_ bytes: Data) {
    let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]
    guard bytes.count >= 64, bytes.prefix(6).elementsEqual(magic) else { return nil }
    self.bytes = bytes
    let reader = Reader(bytes: bytes)
    sections = Self.sections(reader)
    loader = Self.loader(reader)
    machine = reader.number(18) ?? 0
    isDynamic = loader != nil || Self.needsLibraries(reader, sections)
  }

  /// The section takes no room in the file.
  private static let noBits: UInt32 = 8

  package func hasSection(_ name: String) -> Bool {
    sections.contains { $0.name == name && $0.kind != Self.noBits && $0.size > 0 }
  }

  /// What is in a section; `nil` if there is none of this name.
  package func content(of name: String) -> Data? {
    sections.first { $0.name == name && $0.kind != Self.noBits }
      .flatMap { Reader(bytes: bytes).data($0.offset, $0.size) }
  }

  /// Whether the image itself has a function or variable of this name.
  package func defines(_ symbol: String) -> Bool {
    let wanted = Array(symbol.utf8)
    return sections.contains { table in
      let isTable = table.name == ".symtab" || table.name == ".dynsym"
      return isTable && sections.indices.contains(table.link)
        && has(wanted, in: table, names: sections[table.link])
    }
  }

  private func has(_ symbol: [UInt8], in table: Section, names: Section) -> Bool {
    let reader = Reader(bytes: bytes)
    return stride(from: table.offset, to: table.offset + table.size, by: 24).contains { entry in
      // Section 0 stands for a symbol that comes from elsewhere.
      guard let name: UInt32 = reader.number(entry), let home: UInt16 = reader.number(entry + 6),
        home != 0, name < names.size
      else { return false }
      return reader.hasText(symbol, at: names.offset + Int(name))
    }
  }

  private static func loader(_ reader: Reader) -> String? {
    guard let start = reader.place(32), let size: UInt16 = reader.number(54),
      let count: UInt16 = reader.number(56)
    else { return nil }
    let interpreter: UInt32 = 3
    return (0..<Int(count)).lazy.map { start + $0 * Int(size) }
      .first { reader.number($0) == interpreter }
      .flatMap { reader.place($0 + 8).map(reader.text) }
  }

  /// A static executable may have a dynamic section as well, and needs nobody by it.
  private static func needsLibraries(_ reader: Reader, _ sections: [Section]) -> Bool {
    let needed: UInt64 = 1
    return sections.filter { $0.name == ".dynamic" && $0.kind != noBits }.contains { table in
      stride(from: table.offset, to: table.offset + table.size, by: 16)
        .contains { reader.number($0) == needed }
    }
  }

  private static func sections(_ reader: Reader) -> [Section] {
    guard let start = reader.place(40), start > 0, let size: UInt16 = reader.number(58),
      let count: UInt16 = reader.number(60), let names: UInt16 = reader.number(62),
      let nameTable = reader.place(start + Int(names) * Int(size) + 24)
    else { return [] }
    return (0..<Int(count)).compactMap { index in
      let header = start + index * Int(size)
      guard let name: UInt32 = reader.number(header), let kind: UInt32 = reader.number(header + 4),
        let offset = reader.place(header + 24), let length = reader.place(header + 32),
        let link: UInt32 = reader.number(header + 40)
      else { return nil }
      return Section(
        name: reader.text(nameTable + Int(name)), kind: kind, offset: offset, size: length,
        link: Int(link))
    }
  }
}

/// Reads bytes of a file; nothing outside of it.
private struct Reader {
  let bytes: Data

  func number<Number: FixedWidthInteger>(_ offset: Int) -> Number? {
    data(offset, MemoryLayout<Number>.size).map { part in
      part.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
  }

  /// A number of 64 bits that is a place or a length in the file.
  func place(_ offset: Int) -> Int? {
    let number: UInt64? = number(offset)
    return number.flatMap { $0 <= UInt64(bytes.count) ? Int($0) : nil }
  }

  func data(_ offset: Int, _ size: Int) -> Data? {
    guard offset >= 0, size >= 0, offset <= bytes.count, size <= bytes.count - offset else {
      return nil
    }
    let start = bytes.startIndex + offset
    return bytes[start..<start + size]
  }

  /// Whether there is this text, ended by a zero byte.
  func hasText(_ text: [UInt8], at offset: Int) -> Bool {
    guard let found = data(offset, text.count + 1) else { return false }
    return found.last == 0 && found.dropLast().elementsEqual(text)
  }

  /// The text up to the next zero byte, of which a name needs few.
  func text(_ offset: Int) -> String {
    let rest = data(offset, min(256, max(0, bytes.count - offset))) ?? Data()
    return String(decoding: rest.prefix { $0 != 0 }, as: UTF8.self)
  }
}
