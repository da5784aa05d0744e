import Testing

struct RaceReportTests {
  private static let sample = """
    ==================
    WARNING: ThreadSanitizer: data race (pid=123)
      Write of size 8 at 0x7b0400000800 by thread T2:
        #0 store(_:) /src/Sources/Conformance/Races/Meeting.swift:40:30 (law2+0x1) (BuildId: ab)
        #1 second() /src/Sources/Conformance/Races/GateRaces.swift:12:9 (law2+0x2) (BuildId: ab)
        #2 third() /src/Sources/Conformance/Races/GateRaces.swift:99:9 (law2+0x3) (BuildId: ab)

      Previous write of size 8 at 0x7b0400000800 by main thread (mutexes: write M0):
        #0 first() /src/Sources/Conformance/Races/GateRaces.swift:8 (law2+0x4) (BuildId: ab)

      Location is heap block of size 8 at 0x7b0400000800 allocated by main thread:
        #0 malloc <null> (law2+0x7) (BuildId: ab)
        #1 main /src/Sources/Conformance/Races/GateRaces.swift:60:3 (law2+0x8) (BuildId: ab)

      Thread T2 (tid=5, running) created by main thread at:
        #0 pthread_create <null> (law2+0x5) (BuildId: ab)
        #1 main /src/Sources/Conformance/Races/GateRaces.swift:70:3 (law2+0x6) (BuildId: ab)

    SUMMARY: ThreadSanitizer: data race
    ==================
    ThreadSanitizer: reported 1 warnings

    """

  @Test func readsKindAndPlaces() {
    #expect(
      RaceReport.reports(in: Self.sample) == [
        RaceReport(kind: "data race", places: ["GateRaces.swift:12", "GateRaces.swift:8"])
      ])
  }

  @Test func readsNothingFromNothing() {
    #expect(RaceReport.reports(in: "Fatal error: on purpose\n").isEmpty)
  }

  @Test func keepsAccessesOutsideTheProgram() {
    let foreign = Self.sample.replacing("/Races/", with: "/Elsewhere/")
    #expect(
      RaceReport.reports(in: foreign) == [
        RaceReport(kind: "data race", places: ["somewhere else", "somewhere else"])
      ])
  }
}
