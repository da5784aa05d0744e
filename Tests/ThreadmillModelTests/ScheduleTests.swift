import Foundation
import Testing
import ThreadmillModel

@Suite struct ScheduleTests {
  /// - Parameter picks: choices of the memory model, by the number of the step.
  private func schedule(
    _ order: [UInt32], operation: OperationKind = .lock, picks: [Int: Int] = [:]
  ) -> Schedule {
    var recorder = ScheduleRecorder()
    var left: [UInt32: Int] = [:]
    for strand in order { left[strand, default: 0] += 1 }
    var last: UInt32?
    for (step, strand) in order.enumerated() {
      recorder.append(
        Offer(strand: strand, operation, object: UInt64(strand % 7)),
        isForced: last != strand && left[last ?? strand, default: 0] > 0)
      if let choice = picks[step] { recorder.pick(choice) }
      left[strand, default: 0] -= 1
      last = strand
    }
    return recorder.schedule
  }

  private var samples: [Schedule] {
    var generator = SplitMix64(seed: Seed(rawValue: 11))
    let random = [(3, 40), (70, 200), (4, 5_000), (2, 97)].map { strands, steps in
      schedule((0..<steps).map { _ in UInt32.random(in: 0..<UInt32(strands), using: &generator) })
    }
    let odd = [
      schedule([]), schedule([0]), schedule([0, 1, 0]), schedule([.max, 0]),
      schedule(Array(repeating: 0, count: 70_000)),
    ]
    let operations = OperationKind.allCases.map { schedule([0, 1, 1, 0], operation: $0) }
    let picks = [schedule([0, 1], picks: [0: 1]), schedule([0, 1, 1, 0], picks: [1: 40, 3: 2])]
    return random + odd + operations + picks
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    for sample in samples {
      let text = sample.description
      #expect(try Schedule(parsing: text) == sample)
      #expect(try Schedule(parsing: " \n\(text)\t\n") == sample)
      #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_:".contains($0)) })
    }
    #expect(Set(samples.map(\.description)).count == samples.count)
  }

  /// Schedules live on in tickets and in tests: what this version wrote, every later one reads.
  @Test func theTextStaysWhatItIs() throws {
    let text = "tm1:DACBBAAAAAAwjQRBZBh"
    let sample = schedule([0, 0, 1, 0])
    #expect(sample.description == text)
    #expect(try Schedule(parsing: text) == sample)
    #expect(sample.turns.map(\.strand) == [0, 1, 0])
    #expect(sample.turns.map(\.isForced) == [false, true, false])
    #expect(sample.forcedSwitches == 1)
  }

  /// So does that of a schedule with old stores, which older versions refuse.
  @Test func theTextWithPicksStaysWhatItIs() throws {
    let text = "tm2:DAABDAAAAAAzSJvCBoBCCy0kh"
    let sample = try #require(samples.first { $0.picks.count == 2 })
    #expect(sample.description == text)
    #expect(try Schedule(parsing: text).picks.map(\.step) == [1, 3])
    #expect(try Schedule(parsing: text).picks.map(\.choice) == [40, 2])
    #expect(
      SwitchPlan(sample).picks == [
        .init(strand: 1, after: 1, choice: 40), .init(strand: 0, after: 2, choice: 2),
      ])
  }

  /// One of a fresh process says so in its first characters, which the sum at its end counts.
  @Test func theTextOfAFreshProcessStaysWhatItIs() throws {
    for (picks, text, usual) in [
      ([:], "tm3:DACBBAAAAAAwjQRggzi", "tm1:DACBBAAAAAAwjQRBZBh"),
      ([1: 40, 3: 2], "tm4:", "tm2:"),
    ] {
      var sample = schedule(picks.isEmpty ? [0, 0, 1, 0] : [0, 1, 1, 0], picks: picks)
      #expect(sample.description.hasPrefix(usual))
      #expect(try !Schedule(parsing: sample.description).isOfFreshProcess)
      sample.isOfFreshProcess = true
      #expect(sample.description.hasPrefix(text))
      #expect(try Schedule(parsing: sample.description) == sample)
      let forged = sample.description.replacing(text.prefix(4), with: usual.prefix(4))
      #expect(throws: ScheduleError.damaged) { try Schedule(parsing: forged) }
    }
  }

  @Test func itIsShort() {
    #expect(schedule(Array(repeating: 0, count: 50_000)).description.count < 120)
    #expect(schedule([0, 0, 0, 0, 1, 1, 1, 1]).description.count <= 26)
  }

  @Test func itIsEncodedAsItsText() throws {
    let sample = schedule([0, 1, 1, 0])
    let data = try JSONEncoder().encode([sample])
    #expect(String(decoding: data, as: UTF8.self) == "[\"\(sample.description)\"]")
    #expect(try JSONDecoder().decode([Schedule].self, from: data) == [sample])
  }

  /// A schedule that was changed is not taken for another one, whichever character it is.
  @Test func everyChangeOfACharacterIsNoticed() {
    let others = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:.ä \n"
    for sample in [
      schedule([0, 1, 0, 2, 2]), schedule((0..<60).map { $0 % 3 }), samples[samples.count - 1],
    ] {
      let text = Array(sample.description)
      for position in text.indices {
        for other in others where other != text[position] {
          var changed = text
          changed[position] = other
          #expect((try? Schedule(parsing: String(changed))) ?? sample == sample)
        }
        var shorter = text
        shorter.remove(at: position)
        #expect((try? Schedule(parsing: String(shorter))) == nil)
      }
      for end in 0..<text.count { #expect((try? Schedule(parsing: String(text[..<end]))) == nil) }
    }
  }

  @Test func anErrorNamesWhatIsWrong() throws {
    func error(_ text: String) -> ScheduleError? {
      do {
        _ = try Schedule(parsing: text)
        return nil
      } catch { return error }
    }
    let text = schedule([0, 1, 0]).description
    #expect(error("") == .notASchedule(""))
    #expect(error("report.json") == .notASchedule("report.json"))
    #expect(error("tm5:\(text.dropFirst(4))") == .otherVersion("tm5"))
    #expect(error("tm1:ABC+") == .badCharacter("+", position: 8))
    #expect(error("tm1:ABC") == .incomplete)
    #expect(error(String(text.dropLast())) == .damaged)
    #expect(error(text + "A") == .damaged)
    let words = error("tm1:A\u{1B}BCDEFGHIJ").map { "\($0)" }
    #expect(words?.contains("character 6 of the schedule, '\\u{1B}'") == true)
  }

  @Test func theRecorderBeginsAgain() {
    var recorder = ScheduleRecorder()
    recorder.append(Offer(strand: 1, .lock, object: 4), isForced: true)
    recorder.append(Offer(strand: 2, .lock, object: 4), isForced: true)
    #expect(recorder.schedule.turns.map(\.isForced) == [false, true])
    recorder.removeAll()
    #expect(recorder.schedule == schedule([]))
  }
}
