import Testing
import ThreadmillFormats
import ThreadmillModel
import ThreadmillReporting

/// The trace as a program of others reads it.
@Suite struct ChromeTraceTests {
  private struct Answer: Decodable {
    struct Slice: Decodable, Hashable {
      var lane: String
      var name: String
      var at: Double
      var lasted: Double
    }

    var slices: [Slice]
    var marks: [String]
    var problems: [String]
  }

  /// What a viewer relies on: slices of one lane nest, every arrow has one start and, later, its
  /// ends, and every lane and process has a name.
  private static let reader = #"""
    import json, sys
    events = json.load(open(sys.argv[1], encoding="utf-8"))["traceEvents"]
    problems, names, slices, starts = [], {}, [], {}
    for e in events:
        if e["ph"] == "M": names[(e["name"], e["pid"], e["tid"])] = e["args"]["name"]
        if e["ph"] == "s":
            if e["id"] in starts: problems.append("two starts of " + e["id"])
            starts[e["id"]] = e["ts"]
    for e in events:
        if e["ph"] == "M": continue
        if ("process_name", e["pid"], 0) not in names: problems.append("process without a name")
        if e["ph"] == "f" and starts.get(e["id"], 1e99) > e["ts"]: problems.append("arrow " + e["id"])
    lanes = {}
    for e in sorted((e for e in events if e["ph"] == "X"), key=lambda e: (e["ts"], -e["dur"])):
        key = (e["pid"], e["tid"])
        if ("thread_name",) + key not in names: problems.append("lane without a name")
        open_ends = [end for end in lanes.get(key, []) if end > e["ts"]]
        if any(end < e["ts"] + e["dur"] for end in open_ends): problems.append("overlap: " + e["name"])
        lanes[key] = open_ends + [e["ts"] + e["dur"]]
        slices.append({"lane": names.get(("thread_name",) + key, ""), "name": e["name"],
                       "at": e["ts"], "lasted": e["dur"]})
    print(json.dumps({"slices": slices, "problems": problems,
                      "marks": [e["name"] for e in events if e["ph"] == "i"]}))
    """#

  private func read(_ report: Report) async throws -> Answer {
    let bytes = ReportFormat.trace.bytes(of: report, ReportContext(folder: Samples.folder))
    return try await Outsider.python(Self.reader, on: bytes)
  }

  static func recording(label: String = "bank") -> Trace.Recording {
    let worker = ThreadID(2)
    return Trace.Recording(
      process: 77, threads: [.init(worker, name: "worker")],
      locks: [
        .init(kind: .mutex, place: [Samples.user("init()", "A.swift", 3)]),
        .init(kind: .mutex, label: nil, place: [], isFirstUse: true),
      ],
      places: [[Samples.user("serve()", "B.swift", 4)]],
      events: [
        .init(.submission, ThreadID(1), at: 1_000_500, flow: 5),
        .init(.block, worker, at: 1_001_000, lasted: 9_000, label: label, flow: 5, place: 0),
        .init(.hold, worker, at: 1_002_000, lasted: 3_000, lock: 0),
        .init(.hold, worker, at: 1_003_000, lasted: 4_000, isOpen: true, lock: 1),
        .init(.finding, worker, at: 1_004_000, label: "Deadlock"),
      ])
  }

  @Test func aRecordingIsShownInLanes() async throws {
    let answer = try await read(
      Report(findings: [], run: .init(id: "run"), trace: Trace([Self.recording()])))
    #expect(answer.problems == [])
    #expect(
      answer.slices == [
        .init(lane: "T1", name: "submits", at: 0, lasted: 0.001),
        .init(
          lane: "T2 \"worker\"", name: "block on \"bank\" from serve()", at: 0.5, lasted: 9),
        .init(lane: "T2 \"worker\"", name: "holds mutex of A.swift:3", at: 1.5, lasted: 3),
        .init(lane: "T2 \"worker\", beside", name: "holds mutex", at: 2.5, lasted: 4),
      ])
    #expect(answer.marks == ["Deadlock"])
  }

  @Test func withoutOneTheFindingsAreShownInSteps() async throws {
    let finding = Samples.finding(.deadlock)
    let answer = try await read(Report(findings: [finding], run: .init(id: "run")))
    #expect(answer.problems == [])
    #expect(answer.slices.map(\.at) == [0, 0, 1_000, 1_000])
    #expect(answer.slices.count { $0.name.hasPrefix("waits for ") } == 2)
    #expect(answer.marks == [finding.title])
  }

  @Test func hostileNamesComeBackUnchanged() async throws {
    for name in HostileNames.all {
      let answer = try await read(
        Report(
          findings: [], run: .init(id: "run"), trace: Trace([Self.recording(label: name)])))
      #expect(answer.slices.dropFirst().first?.name == "block on \"\(name)\" from serve()")
    }
  }

  /// What nobody knows a time for survives the report file as well.
  @Test func drawingsSurviveTheReportFile() throws {
    var graph = LockGraph(
      classes: HostileNames.all.map { .init(kind: .serialQueue, label: $0, place: []) },
      edges: [.init(from: 0, to: 1, count: 4, place: [])])
    graph = graph.merged(with: graph)
    let report = Report(
      findings: [], run: .init(id: "run"), lockGraph: graph,
      trace: Trace([Self.recording(label: HostileNames.all[0])]))
    let again = try JSONReport.report(from: JSONReport.bytes(of: report))
    #expect(again.lockGraph == graph)
    #expect(again.trace?.recordings.map(\.events) == report.trace?.recordings.map(\.events))
    #expect(JSONReport.bytes(of: again) == JSONReport.bytes(of: report))
  }

  @Test(arguments: [
    (#""from": 9"#, "expected a number below 1 at lockGraph.edges[0].from"),
    (#""count": -x"#, "not JSON"),
  ]) func anEdgeToNowhereIsNamed(_ edge: String, _ words: String) throws {
    let text = """
      {"version": 1, "findings": [], "run": {"id": "", "processes": 1, "mode": ""},
       "accounting": {}, "lockGraph": {"classes": [{"kind": "mutex", "created": []}],
       "edges": [{\(edge), "to": 0, "count": 1, "frames": []}]}}
      """
    let error = #expect(throws: ReportFormatError.self) {
      try JSONReport.report(from: Array(text.utf8))
    }
    #expect(try #require(error).description.contains(words))
  }
}
