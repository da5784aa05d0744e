import Foundation

/// The JSON report as an outsider reads it: written from the documented form, not from our encoder.
package struct ReportFile: Decodable, Sendable {
  package struct Frame: Decodable, Hashable, Sendable {
    package var function: String?
    package var file: String?
    package var line: Int?
    package var image: String?
    package var offset: UInt64?
    /// Left out where it is false.
    package var system: Bool?
  }

  package struct Hold: Decodable, Sendable {
    package var object: String
    package var mode: String
    package var frames: [Frame]
  }

  package struct Participant: Decodable, Sendable {
    package var thread: String
    package var role: String
    package var frames: [Frame]
    package var holds: [Hold]
    package var wants: String?
    /// Left out where nothing was submitted.
    package var submitted: [Frame]?
    /// Left out for a thread's own code.
    package var runs: Execution?
  }

  package struct Queue: Decodable, Hashable, Sendable {
    package var id: String
    package var kind: String
    package var label: String?
  }

  package struct Job: Decodable, Hashable, Sendable {
    package var task: Int?
    package var priority: String?

    package init(task: Int? = nil, priority: String? = nil) {
      self.task = task
      self.priority = priority
    }
  }

  package struct Execution: Decodable, Hashable, Sendable {
    package var queues: [Queue]
    package var root: String?
    package var pooled: Bool?
    package var group: String?
    package var job: Job?
    package var actor: String?
  }

  package struct Object: Decodable, Sendable {
    package var id: String
    package var kind: String
    package var label: String?
    package var created: [Frame]?
    /// Left out unless no call made it.
    package var variable: Frame?
  }

  package struct Fact: Decodable, Sendable {
    package var text: String
    package var frames: [Frame]?
  }

  package struct Confirmation: Decodable, Sendable {
    package var tries: Int
    package var test: String?
    /// Left out where it did not happen.
    package var deadlock: [Participant]?
  }

  /// The steps of a schedule.
  package struct Story: Decodable, Hashable, Sendable {
    package struct Step: Decodable, Hashable, Sendable {
      package var number: Int
      package var column: Int
      package var operation: String
      /// Left out where there is none.
      package var object: String?
      package var places: [Frame]?
    }

    package var columns: [String]
    package var steps: [Step]
    package var total: Int
  }

  package struct Judgement: Decodable, Sendable {
    package var verdict: String
    /// Left out unless it is suppressed.
    package var reason: String?
  }

  package struct Finding: Decodable, Sendable {
    package var kind: String
    package var status: String
    package var severity: String
    package var title: String
    package var fingerprint: String
    package var tests: [String]
    package var count: Int
    /// Left out where nothing was left to chance.
    package var seed: UInt64?
    package var schedule: String?
    /// Left out where it is false.
    package var singleThreaded: Bool?
    /// Left out unless it was explored.
    package var story: Story?
    package var participants: [Participant]
    package var objects: [Object]
    /// Left out where there are none.
    package var facts: [Fact]?
    /// Left out where nobody tried.
    package var confirmation: Confirmation?
    /// Left out where nobody judged.
    package var judgement: Judgement?
  }

  package struct Durations: Decodable, Sendable {
    package var p50: Int
    package var p99: Int
    package var max: Int
    package var total: Int
    /// By the greatest duration of each bucket.
    package var buckets: [String: Int]

    package var count: Int { buckets.values.reduce(0, +) }
  }

  package struct LockClass: Decodable, Sendable {
    package var kind: String
    package var mode: String
    package var label: String?
    /// One of these two.
    package var created: [Frame]?
    package var firstUsed: [Frame]?
    package var acquisitions: Int
    package var contended: Int
    package var wait: Durations
    package var hold: Durations
    package var longestHolder: [Frame]
  }

  package struct Profile: Decodable, Sendable {
    package var classes: [LockClass]
  }

  package struct Run: Decodable, Sendable {
    package var id: String
    package var processes: Int
    /// Left out where nobody was disturbed.
    package var jitter: String?
    package var seed: UInt64?
    package var sanitizer: String?
    /// Left out for a whole run.
    package var shard: Shard?
  }

  package struct Shard: Decodable, Hashable, Sendable {
    package var index: Int
    package var total: Int

    package init(index: Int, total: Int) {
      self.index = index
      self.total = total
    }
  }

  package var version: Int
  package struct Exploration: Decodable, Hashable, Sendable {
    package var test: String
    package var schedules: Int
    package var complete: Bool
    /// Left out if classes were not counted.
    package var classes: Int?
    package var uncontrolled: Int
    package var readsFromPairs: Int
    package var handOvers: Int
    package var seenOnce: Int
    package var seenTwice: Int
    package var lastNew: Int
    /// Left out unless the exploration was led to lines.
    package var towards: [Line]?
    package var met: Int?

    package struct Line: Decodable, Hashable, Sendable {
      package var line: String
      package var schedules: Int
    }
  }

  package var findings: [Finding]
  package var run: Run
  /// Left out where no test was explored.
  package var explorations: [Exploration]?
  package var accounting: [String: Int]
  /// Left out unless it was asked for.
  package var profile: Profile?
  package var lockGraph: LockGraph?
  /// Left out where there are none.
  package var classCandidates: [Finding]?
  package var trace: Trace?

  /// The report at `url`; `nil` if there is no file.
  ///
  /// - Throws: if there is a file that is not a whole report.
  package init?(at url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
  }

  /// What the program is accused of; candidates that were dropped accuse nobody, and neither does
  /// the note that one thread alone took locks in opposite orders.
  package var accusations: [Finding] {
    findings.filter { $0.status != "filtered" && !($0.singleThreaded == true && $0.isNote) }
  }

  package var kinds: Set<String> { Set(accusations.map(\.kind)) }
}

extension ReportFile.Finding {
  package var isNote: Bool { severity == "note" }
}

extension [ReportFile.Frame] {
  /// The innermost frame that is the user's.
  package var firstUserFrame: ReportFile.Frame? { first { $0.system != true } }
}
