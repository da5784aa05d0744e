extension String {
  /// The same text on one line that leaves the terminal and the direction of writing alone.
  ///
  /// Names come from the program under test and may contain anything. Control characters, line
  /// separators and marks that change the direction of what follows become `\u{1B}`; everything
  /// else, emoji and right-to-left letters included, stays.
  package var printable: String {
    // Most text is plain, and then need not be looked at letter by letter.
    if utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return self }
    guard unicodeScalars.contains(where: Self.isUnprintable) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if Self.isUnprintable(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    case 0x2028, 0x2029, 0xFEFF: true
    default: false
    }
  }
}
