/// Which units have code at an address.
///
/// Made of the ranges that the first entry of each unit has: every compiler writes those, while
/// `.debug_aranges` is missing from what Swift and clang make.
struct UnitIndex {
  private struct Piece {
    let low: UInt64
    let high: UInt64
    let unit: Int32
  }

  /// By offset.
  private(set) var headers: [UnitHeader] = []
  /// Units that could not be read.
  private(set) var broken = 0
  private var pieces: [Piece] = []
  /// For each piece the greatest end of it and all before.
  private var reach: [UInt64] = []

  init(_ sections: DebugSections) {
    var cursor = ByteCursor(sections.info)
    while !cursor.isAtEnd {
      guard let header = UnitHeader.read(&cursor) else { continue }
      headers.append(header)
      add(Int32(headers.count - 1), header, sections)
    }
    if cursor.isBroken { broken += 1 }
    pieces.sort { ($0.low, $0.unit) < ($1.low, $1.unit) }
    reach.reserveCapacity(pieces.count)
    for piece in pieces { reach.append(max(piece.high, reach.last ?? 0)) }
  }

  private mutating func add(_ index: Int32, _ header: UnitHeader, _ sections: DebugSections) {
    guard let unit = DebugUnit(header, sections, onlyRoot: true) else {
      broken += 1
      return
    }
    unit.code.forEach(unit, sections) { low, high in
      guard pieces.count < Self.limit else { return }
      pieces.append(Piece(low: low, high: high, unit: index))
    }
  }

  /// No program has that many pieces; damaged bytes may.
  private static let limit = 16_000_000

  /// The units with code there. There is more than one where the linker has merged functions that
  /// several files had.
  func units(at address: UInt64) -> [Int] {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].low <= address { low = middle + 1 } else { high = middle }
    }
    var result: [Int] = []
    while low > 0, reach[low - 1] > address, result.count < Self.atOnePlace {
      low -= 1
      if pieces[low].high > address { result.append(Int(pieces[low].unit)) }
    }
    return result
  }

  private static let atOnePlace = 16

  /// The unit that has this offset of `.debug_info`.
  func unit(containing offset: UInt64) -> Int? {
    var (low, high) = (0, headers.count)
    while low < high {
      let middle = (low + high) / 2
      if headers[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0, offset < UInt64(headers[low - 1].entries.upperBound) else { return nil }
    return low - 1
  }
}
