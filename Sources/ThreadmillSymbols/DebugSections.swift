/// The debug information of a file, section by section; what is not there is empty.
struct DebugSections {
  let info: UnsafeRawBufferPointer
  let abbreviations: UnsafeRawBufferPointer
  let lines: UnsafeRawBufferPointer
  let ranges: UnsafeRawBufferPointer
  let rangeLists: UnsafeRawBufferPointer
  let addresses: UnsafeRawBufferPointer
  let texts: UnsafeRawBufferPointer
  let lineTexts: UnsafeRawBufferPointer
  let textOffsets: UnsafeRawBufferPointer

  init(_ file: ELFFile) {
    info = file.contents(".debug_info")
    abbreviations = file.contents(".debug_abbrev")
    lines = file.contents(".debug_line")
    ranges = file.contents(".debug_ranges")
    rangeLists = file.contents(".debug_rnglists")
    addresses = file.contents(".debug_addr")
    texts = file.contents(".debug_str")
    lineTexts = file.contents(".debug_line_str")
    textOffsets = file.contents(".debug_str_offsets")
  }

  func text(_ section: Value.TextSection, at offset: UInt64) -> String? {
    var cursor =
      switch section {
      case .info: ByteCursor(info, at: offset)
      case .str: ByteCursor(texts, at: offset)
      case .lineStr: ByteCursor(lineTexts, at: offset)
      }
    let text = cursor.text()
    return cursor.isBroken ? nil : text
  }
}
