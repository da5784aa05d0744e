// The text: `tm1:` and characters of 6 bits. Numbers take one for every 5 bits, the lowest first,
// with a bit that says that more follow. In order: how many turns; for each its strand, and its
// length less one together with whether it is forced; the checks; four characters for the digest
// of all steps and four for the sum over the text before them.
//
// A schedule with choices of the memory model begins with `tm2:`, and has these before the sum: how
// many there are; for each the steps since the one before, and the choice. If it is one of a fresh
// process, it begins with `tm3:`, or `tm4:` with choices.

extension Schedule: CustomStringConvertible {
  /// The text.
  public var description: String {
    let form = Form(hasPicks: !picks.isEmpty, isOfFreshProcess: isOfFreshProcess)
    var text = SymbolWriter(prefix: form.prefix)
    text.write(number: turns.count)
    for turn in turns {
      text.write(number: Int(turn.strand))
      text.write(number: (turn.length - 1) << 1 | (turn.isForced ? 1 : 0))
    }
    for check in checks { text.write(symbol: check) }
    text.write(sum: digest)
    writePicks(to: &text)
    text.write(sum: Checksum.of(text.bytes))
    return String(decoding: text.bytes, as: UTF8.self)
  }

  private func writePicks(to text: inout SymbolWriter) {
    guard !picks.isEmpty else { return }
    text.write(number: picks.count)
    var last = 0
    for pick in picks {
      text.write(number: pick.step - last)
      text.write(number: pick.choice)
      last = pick.step
    }
  }

  /// The kinds of texts, which differ in how they begin.
  struct Form: Hashable {
    var hasPicks: Bool
    var isOfFreshProcess: Bool

    var prefix: String { "tm\((isOfFreshProcess ? 3 : 1) + (hasPicks ? 1 : 0)):" }

    static let all = [false, true].flatMap { isOfFreshProcess in
      [false, true].map { Form(hasPicks: $0, isOfFreshProcess: isOfFreshProcess) }
    }
  }

  private static let mostSteps = 1 << 40

  /// Reads what ``description`` wrote; white space around it does not count.
  ///
  /// - Throws: ``ScheduleError``
  public init(parsing text: some StringProtocol) throws(ScheduleError) {
    var reader = try SymbolReader(text)
    var turns: [Turn] = []
    var steps = 0
    for _ in 0..<(try reader.number()) {
      let strand = try reader.number()
      let length = try reader.number()
      guard let strand = UInt32(exactly: strand) else { throw .contradictory }
      let turn = Turn(strand: strand, length: length >> 1 + 1, isForced: length & 1 == 1)
      steps += turn.length
      guard turns.last?.strand != strand, !(turns.isEmpty && turn.isForced),
        steps <= Self.mostSteps
      else { throw .contradictory }
      turns.append(turn)
    }
    let stride = Self.stride(for: steps)
    var checks: [UInt8] = []
    for _ in 0..<((steps + stride - 1) / stride) { checks.append(try reader.symbol()) }
    let digest = try reader.sum()
    let picks = try reader.form.hasPicks ? Self.picks(&reader, steps: steps) : []
    guard reader.isAtEnd else { throw .contradictory }
    self.init(turns: turns, picks: picks, checks: checks, digest: digest)
    isOfFreshProcess = reader.form.isOfFreshProcess
  }

  private static func picks(
    _ reader: inout SymbolReader, steps: Int
  ) throws(ScheduleError) -> [Pick] {
    var picks: [Pick] = []
    for _ in 0..<(try reader.number()) {
      let step = (picks.last?.step ?? 0) + (try reader.number())
      let choice = try reader.number()
      guard step < steps, picks.isEmpty || step > picks[picks.count - 1].step, choice > 0 else {
        throw .contradictory
      }
      picks.append(Pick(step: step, choice: choice))
    }
    guard !picks.isEmpty else { throw .contradictory }
    return picks
  }
}

extension Schedule: Codable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    try self.init(parsing: decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Why a text is no schedule.
@nonexhaustive
public enum ScheduleError: Error, Hashable, CustomStringConvertible {
  /// It does not begin like one.
  case notASchedule(String)
  /// Another version of Threadmill wrote it.
  case otherVersion(String)
  case badCharacter(Character, position: Int)
  /// It is too short to be whole.
  case incomplete
  /// The sum over its characters is another one.
  case damaged
  /// The sum is right and the content is not: it was not written by Threadmill.
  case contradictory

  /// For people.
  public var description: String {
    switch self {
    case .notASchedule(let text):
      "'\(text.prefix(24).description.printable)' is no schedule; a schedule begins with "
        + "'\(Schedule.Form.all[0].prefix)' to '\(Schedule.Form.all[3].prefix)'"
    case .otherVersion(let version):
      "the schedule begins with '\(version.prefix(24).description.printable):', which another "
        + "version of Threadmill wrote; this one reads '\(Schedule.Form.all[0].prefix)' to "
        + "'\(Schedule.Form.all[3].prefix)'"
    case .badCharacter(let character, let position):
      "character \(position) of the schedule, '\(String(character).printable)', cannot be part of "
        + "one; letters, digits, '-' and '_' can"
    case .incomplete: "the schedule is incomplete; copy all of it"
    case .damaged: "the schedule is damaged: a character was changed or lost; copy it again"
    case .contradictory: "the schedule contradicts itself; Threadmill did not write it like this"
    }
  }
}

private struct SymbolWriter {
  private static let alphabet = Array(SymbolReader.alphabet.utf8)
  private(set) var bytes: [UInt8]

  init(prefix: String) { bytes = Array(prefix.utf8) }

  mutating func write(symbol: UInt8) { bytes.append(Self.alphabet[Int(symbol)]) }

  mutating func write(number: Int) {
    var rest = number
    while rest >= 32 {
      write(symbol: UInt8(rest & 31 | 32))
      rest >>= 5
    }
    write(symbol: UInt8(rest))
  }

  mutating func write(sum: UInt32) {
    for shift in [0, 6, 12, 18] { write(symbol: UInt8(sum >> UInt32(shift) & 63)) }
  }
}

private struct SymbolReader {
  static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  private static let values = Dictionary(uniqueKeysWithValues: zip(alphabet, UInt8(0)...))
  /// What is in every text: the count of turns, the digest and the sum.
  private static let shortest = 9

  private let symbols: [UInt8]
  private var index = 0
  let form: Schedule.Form

  /// Checks all characters and their sum.
  init(_ text: some StringProtocol) throws(ScheduleError) {
    var text = text[...]
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    text = text.drop { $0.isWhitespace }
    guard let colon = text.firstIndex(of: ":"), text.hasPrefix("tm") else {
      throw .notASchedule(String(text))
    }
    guard let form = Schedule.Form.all.first(where: { text.hasPrefix($0.prefix) }) else {
      throw .otherVersion(String(text[..<colon]))
    }
    self.form = form
    var symbols: [UInt8] = []
    for (offset, character) in text.enumerated().dropFirst(form.prefix.count) {
      guard let value = Self.values[character] else {
        throw .badCharacter(character, position: offset + 1)
      }
      symbols.append(value)
    }
    guard symbols.count >= Self.shortest else { throw .incomplete }
    self.symbols = symbols
    let sum = Self.sum(symbols.suffix(4))
    guard sum == Checksum.of(Array(text.utf8.dropLast(4))) else { throw .damaged }
  }

  /// The sum over the text does not count.
  var isAtEnd: Bool { index == symbols.count - 4 }

  mutating func symbol() throws(ScheduleError) -> UInt8 {
    guard index < symbols.count - 4 else { throw .contradictory }
    index += 1
    return symbols[index - 1]
  }

  mutating func number() throws(ScheduleError) -> Int {
    var number = 0
    for shift in stride(from: 0, to: 50, by: 5) {
      let next = try symbol()
      number |= Int(next & 31) << shift
      if next < 32 { return number }
    }
    throw .contradictory
  }

  mutating func sum() throws(ScheduleError) -> UInt32 {
    var digits: [UInt8] = []
    for _ in 0..<4 { digits.append(try symbol()) }
    return Self.sum(digits[...])
  }

  private static func sum(_ digits: ArraySlice<UInt8>) -> UInt32 {
    digits.reversed().reduce(0) { $0 << 6 | UInt32($1) }
  }
}

/// CRC-24 with the polynomial of RFC 4880, section 6: whatever happens to one character, or to
/// three in a row, is noticed for certain.
private enum Checksum {
  static func of(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xB7_04CE
    for byte in bytes {
      sum ^= UInt32(byte) << 16
      for _ in 0..<8 {
        sum <<= 1
        if sum & 0x100_0000 != 0 { sum ^= 0x186_4CFB }
      }
    }
    return sum
  }
}
