import Testing
import ThreadmillModel

@testable import ThreadmillFormats
@testable import ThreadmillReporting

/// What an exploration's failure looks like.
@Suite struct StoryTests {
  private var report: TextReport {
    TextReport(
      ReportContext(folder: Samples.folder) { path in
        path.hasSuffix("Bank.swift")
          ? ["  ledger.lock()  ", String(repeating: "x", count: 80)] : nil
      })
  }

  @Test func theTableHasAColumnForEach() {
    let x = String(repeating: "x", count: 60) + "…"
    #expect(
      report.text(for: Samples.story) == """
          The schedule, 16 steps; > marks a switch away from one that could go on

            step  body            thread 1         thread "audit"
            1     begin
            2     start a thread                                    Bank.swift:1  ledger.lock()
            3                     lock mutex L1                     Bank.swift:1  ledger.lock()
            …                     … 5 more
            9                     unlock mutex L1                   Bank.swift:2  \(x)
            …                                                       … 2 steps
            12                                     > lock mutex L2  Bank.swift:2  \(x)
            13    go on
            14    wait
            …                                                       … 2 steps

          At the end these cannot go on:
            body waits for the end of thread 1                                            Bank.swift:1  ledger.lock()
            thread 1 waits to lock mutex L2, which thread "audit" has                     Bank.swift:2  \(x)
            thread "audit" waits to lock mutex L4, which thread 1 took, and it has ended  Bank.swift:2  \(x)
            thread "audit" waits for semaphore L3
            task 4 waits for a continuation that nobody has resumed                       Bank.swift:2  \(x)
            task 5 was started

          To repeat: try explore(replaying: Schedule(parsing: "tm1:abc")) { … }

        """)
  }

  /// It is no gap either; by force it says something.
  @Test(arguments: [false, true]) func aHopToNoActorIsLeftOut(isForced: Bool) {
    let hop = ScheduleStory.Step(number: 2, column: 0, .hop, isForced: isForced)
    let story = ScheduleStory(
      columns: ["body"],
      steps: [
        .init(number: 1, column: 0, .begin), hop,
        .init(number: 3, column: 0, .hop, object: "actor #2"), .init(number: 6, column: 0, .hop),
      ], total: 6, schedule: "tm1:abc")
    func step(_ number: Int, _ action: String, isForced: Bool = false) -> StoryTable.Row {
      .step(number: number, column: 0, action: action, isForced: isForced, place: nil)
    }
    let told = isForced ? [step(2, "leave the actor", isForced: true)] : []
    #expect(
      StoryTable(story).rows
        == [step(1, "begin")] + told + [step(3, "hop to actor #2"), .gap(3, column: nil)])
  }

  /// A strand that goes on behind a submission is told where another one came first, and no gap
  /// where none did.
  @Test func whoGoesOnAtOnceIsLeftOut() {
    let story = ScheduleStory(
      columns: ["body", "task 1"],
      steps: [
        .init(number: 1, column: 0, .submit), .init(number: 2, column: 0, .goOn),
        .init(number: 3, column: 0, .submit), .init(number: 4, column: 1, .begin, isForced: true),
        .init(number: 5, column: 0, .goOn), .init(number: 6, column: 0, .unlock, object: "L1"),
      ], total: 6, schedule: "tm1:abc")
    func step(_ number: Int, _ column: Int, _ action: String, isForced: Bool = false)
      -> StoryTable.Row
    { .step(number: number, column: column, action: action, isForced: isForced, place: nil) }
    #expect(
      StoryTable(story).rows == [
        step(1, 0, "submit"), step(3, 0, "submit"), step(4, 1, "begin", isForced: true),
        step(5, 0, "go on"), step(6, 0, "unlock L1"),
      ])
  }

  @Test func anOldStoreIsToldBesideItsStep() {
    var read = ScheduleStory.Step(number: 2, column: 0, .read, object: "#3")
    read.note = "reads 0, although 1 was stored at step 1"
    let story = ScheduleStory(columns: ["body"], steps: [read], total: 2, schedule: "tm2:abc")
    #expect(
      StoryTable(story).rows.last
        == .step(
          number: 2, column: 0, action: "read #3: reads 0, although 1 was stored at step 1",
          isForced: false, place: nil))
  }

  @Test func anEndlessScheduleSaysWhatItSpinsOn() {
    var story = Samples.story
    story.isEndless = true
    story.steps = (1...200).map {
      .init(number: $0 + 1_000, column: 1, .yield, places: [Samples.storyPlaces[0]])
    }
    let table = StoryTable(story)
    #expect(table.heading == "No end within 16 steps. The last 64 of them:")
    #expect(
      table.lines == [.init(text: "thread 1: give way, 64 times", place: Samples.storyPlaces[0])])
    #expect(table.rows.count < 30)
    #expect(story.ending.map(\.frames) == [[Samples.storyPlaces[0]]])
  }

  /// The tasks that keep the body from its end are its end, unless a thread is to blame.
  @Test func aBodyThatAwaitsIsToldByItsTasks() throws {
    #expect(
      Samples.awaitingStory.ending == [
        .init("body waits for the end of task 1", frames: [Samples.storyPlaces[0]])
      ])
    #expect(StoryTable(Samples.awaitingStory).lines.count == 2)
    #expect(Samples.story.ending.count == Samples.story.waits.count)
    var finding = Samples.finding(.hang)
    finding.story = Samples.awaitingStory
    let bytes = JSONReport.bytes(of: Report(findings: [finding], run: .init(id: "r")))
    #expect(
      try JSONReport.report(from: bytes).findings.first?.story == Samples.awaitingStory)
  }

  @Test func itSurvivesARoundTrip() throws {
    var finding = Samples.finding(.deadlock)
    finding.story = Samples.story
    let bytes = JSONReport.bytes(of: Report(findings: [finding], run: .init(id: "r")))
    let read = try JSONReport.report(from: bytes)
    var expected = Samples.story
    #expect(read.findings.first?.story == expected)
    expected.isEndless = true
    finding.story?.isEndless = true
    let again = try JSONReport.report(
      from: JSONReport.bytes(of: Report(findings: [finding], run: .init(id: "r"))))
    #expect(again.findings.first?.story == expected)
  }

  @Test func whatIsNoStoryIsSaid() {
    func text(_ step: String) -> String {
      """
      {"version":1,"findings":[{"kind":"hang","status":"observed","severity":"error","title":"",
      "tests":[],"count":1,"participants":[],"objects":[],"story":{"schedule":"","total":1,
      "columns":["body"],"steps":[\(step)]}}],"run":{"id":"a","processes":1,"mode":"observe"},
      "accounting":{}}
      """
    }
    for (step, problem) in [
      (#"{"number":1,"column":1,"operation":"lock","places":[]}"#, "the place of a column"),
      (#"{"number":1,"operation":"lock","places":[]}"#, "a column"),
      (#"{"number":1,"column":0,"operation":"dance","places":[]}"#, "an operation"),
    ] {
      let error = #expect(throws: ReportFormatError.self) {
        try JSONReport.report(from: Array(text(step).utf8))
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains(problem))
    }
  }

  @Test func thePageHasTheTable() {
    var finding = Samples.finding(.deadlock)
    finding.story = Samples.story
    let bytes = HTMLReport.bytes(
      of: Report(findings: [finding], run: .init(id: "r")), ReportContext(folder: Samples.folder))
    let page = String(decoding: bytes, as: UTF8.self)
    #expect(page.contains("<th scope=\"col\">thread &quot;audit&quot;</th>"))
    #expect(page.contains("▸ lock mutex L2"))
    #expect(page.contains("thread 1 waits to lock mutex L2, which thread &quot;audit&quot; has"))
    #expect(page.contains("class=\"forced\""))
  }

  @Test func theFindingShowsIt() {
    var finding = Samples.finding(.deadlock)
    finding.story = Samples.story
    #expect(report.text(for: finding).contains("> lock mutex L2"))
  }
}
