/// The shapes that the entries of a unit have: DWARF 5, section 7.5.3.
struct Abbreviations {
  struct Attribute {
    let name: UInt16
    let form: Form
    /// The value of `implicitConst`.
    let constant: Int64
  }

  struct Shape {
    let code: UInt64
    let tag: UInt16
    let hasChildren: Bool
    let attributes: Range<Int>
    /// How many bytes all values have together, if that is the same for every entry.
    let size: Int?
  }

  private(set) var shapes: [Shape] = []
  private(set) var attributes: [Attribute] = []
  private var isDense = true

  /// `nil` where it cannot be read to its end. With `last`, that is the shape of that code.
  init?(
    _ section: UnsafeRawBufferPointer, at offset: UInt64, _ encoding: Encoding,
    upTo last: UInt64? = nil
  ) {
    var cursor = ByteCursor(section, at: offset)
    shapes.reserveCapacity(last == nil ? 64 : 1)
    attributes.reserveCapacity(last == nil ? 512 : 16)
    while true {
      let code = cursor.unsignedLEB()
      if code == 0 { break }
      guard let shape = Self.shape(code, &cursor, &attributes, encoding) else { return nil }
      isDense = isDense && code == UInt64(shapes.count) + 1
      shapes.append(shape)
      if code == last { break }
    }
    if cursor.isBroken { return nil }
    if !isDense { shapes.sort { $0.code < $1.code } }
  }

  private static func shape(
    _ code: UInt64, _ cursor: inout ByteCursor, _ attributes: inout [Attribute],
    _ encoding: Encoding
  ) -> Shape? {
    let tag = UInt16(truncatingIfNeeded: cursor.unsignedLEB())
    let hasChildren = cursor.byte() != 0
    let first = attributes.count
    var size: Int? = 0
    while true {
      let (name, raw) = (cursor.unsignedLEB(), cursor.unsignedLEB())
      if cursor.isBroken { return nil }
      if name == 0, raw == 0 { break }
      guard let form = Form(rawValue: UInt16(truncatingIfNeeded: raw)) else { return nil }
      let constant = form == .implicitConst ? cursor.signedLEB() : 0
      attributes.append(
        Attribute(name: UInt16(truncatingIfNeeded: name), form: form, constant: constant))
      size = size.flatMap { sum in form.size(in: encoding).map { sum + $0 } }
    }
    return Shape(
      code: code, tag: tag, hasChildren: hasChildren, attributes: first..<attributes.count,
      size: size)
  }

  @inline(__always)
  func shape(_ code: UInt64) -> Shape? {
    if isDense { return code &- 1 < UInt64(shapes.count) ? shapes[Int(code) - 1] : nil }
    return search(code)
  }

  private func search(_ code: UInt64) -> Shape? {
    var (low, high) = (0, shapes.count)
    while low < high {
      let middle = (low + high) / 2
      if shapes[middle].code < code { low = middle + 1 } else { high = middle }
    }
    return low < shapes.count && shapes[low].code == code ? shapes[low] : nil
  }
}

/// The tags that tell of code and of variables.
enum Tag {
  static let inlinedSubroutine: UInt16 = 0x1D
  static let subprogram: UInt16 = 0x2E
  static let variable: UInt16 = 0x34
}

/// The attributes that tell of code and of variables.
enum AttributeName {
  static let location: UInt16 = 0x02
  static let name: UInt16 = 0x03
  static let statements: UInt16 = 0x10
  static let lowPC: UInt16 = 0x11
  static let highPC: UInt16 = 0x12
  static let folder: UInt16 = 0x1B
  static let abstractOrigin: UInt16 = 0x31
  static let declarationFile: UInt16 = 0x3A
  static let declarationLine: UInt16 = 0x3B
  static let specification: UInt16 = 0x47
  static let ranges: UInt16 = 0x55
  static let callColumn: UInt16 = 0x57
  static let callFile: UInt16 = 0x58
  static let callLine: UInt16 = 0x59
  static let linkageName: UInt16 = 0x6E
  static let textOffsetsBase: UInt16 = 0x72
  static let addressBase: UInt16 = 0x73
  static let rangeListsBase: UInt16 = 0x74
  static let oldLinkageName: UInt16 = 0x2007
}
