/// How an attribute's value is written: DWARF 5, section 7.5.6, and what GNU added for DWARF 4.
enum Form: UInt16 {
  case addr = 0x01
  case block2 = 0x03
  case block4 = 0x04
  case data2 = 0x05
  case data4 = 0x06
  case data8 = 0x07
  case string = 0x08
  case block = 0x09
  case block1 = 0x0A
  case data1 = 0x0B
  case flag = 0x0C
  case sdata = 0x0D
  case strp = 0x0E
  case udata = 0x0F
  case refAddr = 0x10
  case ref1 = 0x11
  case ref2 = 0x12
  case ref4 = 0x13
  case ref8 = 0x14
  case refUdata = 0x15
  case indirect = 0x16
  case secOffset = 0x17
  case exprloc = 0x18
  case flagPresent = 0x19
  case strx = 0x1A
  case addrx = 0x1B
  case refSup4 = 0x1C
  case strpSup = 0x1D
  case data16 = 0x1E
  case lineStrp = 0x1F
  case refSig8 = 0x20
  case implicitConst = 0x21
  case loclistx = 0x22
  case rnglistx = 0x23
  case refSup8 = 0x24
  case strx1 = 0x25
  case strx2 = 0x26
  case strx3 = 0x27
  case strx4 = 0x28
  case addrx1 = 0x29
  case addrx2 = 0x2A
  case addrx3 = 0x2B
  case addrx4 = 0x2C
  case gnuAddrIndex = 0x1F01
  case gnuStrIndex = 0x1F02
  case gnuRefAlt = 0x1F20
  case gnuStrpAlt = 0x1F21
}

/// What the forms of a unit depend on.
struct Encoding {
  let version: UInt16
  let is64: Bool
  let addressSize: Int

  var offsetSize: Int { is64 ? 8 : 4 }
}

extension Form {
  /// How many bytes a value has; `nil` where the value itself tells.
  func size(in encoding: Encoding) -> Int? {
    switch self {
    case .flagPresent, .implicitConst: 0
    case .data1, .ref1, .flag, .strx1, .addrx1: 1
    case .data2, .ref2, .strx2, .addrx2: 2
    case .strx3, .addrx3: 3
    case .data4, .ref4, .strx4, .addrx4, .refSup4: 4
    case .data8, .ref8, .refSig8, .refSup8: 8
    case .data16: 16
    case .addr: encoding.addressSize
    case .strp, .lineStrp, .secOffset, .strpSup, .gnuRefAlt, .gnuStrpAlt: encoding.offsetSize
    case .refAddr: encoding.version <= 2 ? encoding.addressSize : encoding.offsetSize
    case .block, .block1, .block2, .block4, .exprloc, .string, .sdata, .udata, .refUdata, .strx,
      .addrx, .loclistx, .rnglistx, .gnuAddrIndex, .gnuStrIndex, .indirect:
      nil
    }
  }
}

/// What an attribute says, as far as functions and places need it. Where it lies elsewhere, it is
/// not fetched yet: that needs bases of the unit, which may come later.
enum Value {
  case other
  case number(UInt64)
  case address(UInt64)
  case addressIndex(UInt64)
  /// An offset into a section of texts.
  case text(TextSection, UInt64)
  case textIndex(UInt64)
  /// An offset into `.debug_info`.
  case reference(UInt64)
  case sectionOffset(UInt64)
  case rangeListIndex(UInt64)
  /// An expression or a block of bytes in `.debug_info`.
  case bytes(Range<Int>)

  enum TextSection {
    case info
    case str
    case lineStr
  }
}

extension ByteCursor {
  mutating func skip(_ form: Form, _ encoding: Encoding) {
    if let size = form.size(in: encoding) { return skip(size) }
    switch form {
    case .string: skipText()
    case .block1: skip(UInt64(byte()))
    case .block2: skip(half())
    case .block4: skip(word())
    case .block, .exprloc: skip(unsignedLEB())
    case .indirect: skip(indirectForm(), encoding)
    default: skipLEB()
    }
  }

  /// The form that is written before its value. Where that is another one of these, or has its
  /// value elsewhere, the bytes are broken.
  private mutating func indirectForm() -> Form {
    let form = Form(rawValue: UInt16(truncatingIfNeeded: unsignedLEB()))
    guard let form, form != .indirect, form != .implicitConst else {
      fail()
      return .flagPresent
    }
    return form
  }

  /// `unit` is where references inside of a unit count from, `constant` what an abbreviation says.
  mutating func value(
    _ form: Form, _ encoding: Encoding, unit: UInt64, constant: Int64
  ) -> Value {
    switch form {
    case .addr: return .address(unsigned(bytes: encoding.addressSize))
    case .data1, .data2, .data4, .data8, .flag:
      return .number(unsigned(bytes: form.size(in: encoding) ?? 0))
    case .udata: return .number(unsignedLEB())
    case .sdata: return .number(UInt64(bitPattern: signedLEB()))
    case .flagPresent: return .number(1)
    case .implicitConst: return .number(UInt64(bitPattern: constant))
    case .secOffset: return .sectionOffset(unsigned(bytes: encoding.offsetSize))
    case .rnglistx: return .rangeListIndex(unsignedLEB())
    case .addrx, .gnuAddrIndex: return .addressIndex(unsignedLEB())
    case .addrx1, .addrx2, .addrx3, .addrx4:
      return .addressIndex(unsigned(bytes: form.size(in: encoding) ?? 0))
    case .ref1, .ref2, .ref4, .ref8:
      return .reference(unit &+ unsigned(bytes: form.size(in: encoding) ?? 0))
    case .refUdata: return .reference(unit &+ unsignedLEB())
    case .refAddr: return .reference(unsigned(bytes: form.size(in: encoding) ?? 0))
    case .indirect: return value(indirectForm(), encoding, unit: unit, constant: 0)
    case .exprloc, .block: return bytes(unsignedLEB())
    case .block1: return bytes(UInt64(byte()))
    default: return text(form, encoding)
    }
  }

  private mutating func bytes(_ count: UInt64) -> Value {
    let start = position
    skip(count)
    return isBroken ? .other : .bytes(start..<position)
  }

  private mutating func text(_ form: Form, _ encoding: Encoding) -> Value {
    switch form {
    case .string:
      let start = position
      skipText()
      return .text(.info, UInt64(start))
    case .strp: return .text(.str, unsigned(bytes: encoding.offsetSize))
    case .lineStrp: return .text(.lineStr, unsigned(bytes: encoding.offsetSize))
    case .strx, .gnuStrIndex: return .textIndex(unsignedLEB())
    case .strx1, .strx2, .strx3, .strx4:
      return .textIndex(unsigned(bytes: form.size(in: encoding) ?? 0))
    default:
      skip(form, encoding)
      return .other
    }
  }
}
