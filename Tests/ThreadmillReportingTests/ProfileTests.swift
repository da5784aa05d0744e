import Testing
import ThreadmillModel
import ThreadmillReporting

@Suite struct ProfileTests {
  private func histogram(_ samples: [Int]) -> DurationHistogram {
    var histogram = DurationHistogram()
    for sample in samples { histogram.add(sample) }
    return histogram
  }

  private var profile: ContentionProfile {
    ContentionProfile(classes: [
      .init(
        kind: .mutex, place: Samples.first.created, acquisitions: 400, contended: 1,
        wait: histogram([0, 3, 1_250_000]), hold: histogram([950, 1_250, 2_000_000_000]),
        longestHolder: [Samples.libraryLock, Samples.transfer]),
      .init(
        kind: .readWriteLock, mode: .shared, place: [Samples.audit], isFirstUse: true,
        acquisitions: 2, contended: 1, wait: histogram([38_049]), hold: histogram([12_345, 7]),
        longestHolder: [Samples.audit]),
      .init(
        kind: .serialQueue, label: "disk", place: [], acquisitions: 1, contended: 0,
        wait: histogram([0]), hold: histogram([123_456_789]), longestHolder: []),
      .init(
        kind: .synchronizationMutex, place: [Samples.audit], isFirstUse: true, acquisitions: 1,
        contended: 1, wait: histogram([100]), hold: histogram([]), longestHolder: []),
    ])
  }

  private func withoutAddresses(_ profile: ContentionProfile) -> ContentionProfile {
    func bare(_ stack: Backtrace) -> Backtrace {
      stack.map { frame in
        var frame = frame
        frame.address = 0
        return frame
      }
    }
    return ContentionProfile(
      classes: profile.classes.map { one in
        var one = one
        one.place = bare(one.place)
        one.longestHolder = bare(one.longestHolder)
        return one
      })
  }

  @Test func everythingButAddressesSurvives() throws {
    let report = Report(findings: [], run: .init(id: "r"), profile: profile)
    let bytes = JSONReport.bytes(of: report)
    let read = try JSONReport.report(from: bytes)
    #expect(read.profile == withoutAddresses(profile))
    #expect(JSONReport.bytes(of: read) == bytes)
  }

  /// The whole wording, since it is what a user sees.
  @Test func theTableReadsWell() throws {
    try GoldenTests.compare(TextReport(folder: Samples.folder).text(for: profile), with: "profile")
  }

  @Test func whatIsBeyondTheTableIsCounted() {
    let classes = (1...23).map { number in
      ContentionProfile.LockClass(
        kind: .mutex, label: "\(number)", place: [], acquisitions: number, contended: 0,
        wait: histogram([]), hold: histogram([]), longestHolder: [])
    }
    let lines = TextReport().text(for: ContentionProfile(classes: classes)).split(separator: "\n")
    #expect(lines.count == 23)
    #expect(lines.first == "Threadmill: contention profile, 23 lock classes by total wait")
    #expect(lines.last == "  … 3 more")
  }

  @Test func ofNoLocksThereIsNoTable() {
    let text = TextReport().text(for: ContentionProfile(classes: []))
    #expect(text == "Threadmill: contention profile, 0 lock classes by total wait\n")
  }
}
