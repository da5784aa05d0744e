import CThreadmillGate
import Testing
import ThreadmillDetection
import ThreadmillModel
import ThreadmillReporting

@Suite struct AccountWordsTests {
  /// The counts of the gate and of lock orders that are told by their names alone.
  private static let plain: Set = [
    "actorLayoutUnknown", "arrayLayoutUnknown", "continuationLayoutUnknown", "jitterDelays",
    "jitterMilliseconds", "jitterPoints", "jobLayoutUnknown", "keyPathLayoutUnknown",
    "lockClassesUnknown", "operationLayoutUnknown", "statusLayoutUnknown", "stringLayoutUnknown",
    "taskLayoutUnknown",
  ]

  @Test func everyOtherCountIsTold() {
    let names = Mirror(reflecting: tm_count_names).children.compactMap {
      ($0.value as? UnsafePointer<CChar>).map { String(cString: $0) }
    }
    #expect(names.count == Int(TM_COUNTS.rawValue))
    let all = names + LockOrderCounter.allCases.map(\.rawValue)
    #expect(Set(all.filter { !AccountWords.isKnown($0) }) == Self.plain)
  }

  @Test func whatIsNoLossIsForMachines() {
    let counts = ["strandFibres": 7, "jitterDelays": 2, "nestingsForgotten": 3, "holdsDropped": 0]
    let report = Report(
      findings: [], run: Report.Run(id: "1", processes: 1), accounting: counts)
    #expect(
      TextReport().text(for: report) == """
        Threadmill: no findings
          jitter delays: 2
          nestings of locks forgotten, for lack of room: 3

        """)
  }
}
