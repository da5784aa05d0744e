import Foundation
import Testing
import ThreadmillModel

@testable import ThreadmillReporting

/// The mailbox as the tool reads it: what was cut off or damaged is counted, and the rest is kept.
@Suite struct ReportMailboxTests {
  private static func report(_ id: String) -> Report { Report(findings: [], run: .init(id: id)) }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func letter(_ bytes: [UInt8], isComplete: Bool = true) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    return number(bytes.count) + number(isComplete ? 1 : 0) + bytes + padding
  }

  private static func mailbox(
    _ letters: [[UInt8]], taken: Int? = nil, refused: Int = 0, mark: String = "TMMAIL01"
  ) -> [UInt8] {
    let all = letters.flatMap(\.self)
    return Array(mark.utf8) + number(taken ?? 32 + all.count) + number(refused) + number(0) + all
      + [UInt8](repeating: 0, count: 64)
  }

  private let first = letter(JSONReport.bytes(of: report("1-1")))
  private let second = letter(JSONReport.bytes(of: report("2-2")))

  @Test func whatIsPutInComesOut() {
    let content = ReportMailbox.content(of: Self.mailbox([first, second]))
    #expect(content.reports.map(\.run.id) == ["1-1", "2-2"])
    #expect(content.lost == 0)
  }

  @Test func aReportThatWasCutOffIsCounted() {
    let cut = Self.letter(JSONReport.bytes(of: Self.report("3-3")), isComplete: false)
    let content = ReportMailbox.content(of: Self.mailbox([first, cut, second]))
    #expect(content.reports.map(\.run.id) == ["1-1", "2-2"])
    #expect(content.lost == 1)
  }

  @Test func whatFoundNoRoomIsCounted() {
    let content = ReportMailbox.content(of: Self.mailbox([first], refused: 3))
    #expect(content.reports.count == 1)
    #expect(content.lost == 3)
  }

  /// No number in the file makes the reader trap.
  @Test func damageIsCounted() {
    let endless = Self.number(.max) + Self.number(1)
    #expect(ReportMailbox.content(of: Self.mailbox([first, endless])).lost == 1)
    #expect(ReportMailbox.content(of: Self.mailbox([first], taken: .max)).reports.count == 1)
    #expect(ReportMailbox.content(of: Self.mailbox([], taken: -1)).lost == 1)
    #expect(ReportMailbox.content(of: Self.mailbox([Self.letter([1, 2, 3])])).lost == 1)
    #expect(ReportMailbox.content(of: Self.mailbox([first], mark: "TMMAIL02")).reports.isEmpty)
    #expect(ReportMailbox.content(of: []).reports.isEmpty)
    for length in 0..<Self.mailbox([first]).count {
      _ = ReportMailbox.content(of: Array(Self.mailbox([first]).prefix(length)))
    }
  }
}
