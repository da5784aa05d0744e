/// What a report has for drawings of a whole run.
extension ReportFile {
  package struct LockGraph: Decodable, Sendable {
    package struct Node: Decodable, Sendable {
      package var kind: String
      package var label: String?
      /// One of these two.
      package var created: [Frame]?
      package var firstUsed: [Frame]?
    }

    package struct Edge: Decodable, Sendable {
      package var from: Int
      package var to: Int
      package var count: Int
      package var frames: [Frame]
    }

    package var classes: [Node]
    package var edges: [Edge]
  }

  package struct Trace: Decodable, Sendable {
    package struct Event: Decodable, Sendable {
      package var what: String
      package var thread: String
      package var at: UInt64
      /// Left out where it is 0.
      package var lasted: UInt64?
      /// Left out where it is false.
      package var open: Bool?
      package var lock: Int?
      package var label: String?
      package var flow: UInt64?
      package var place: Int?
    }

    package struct Recording: Decodable, Sendable {
      package var process: Int
      package var locks: [LockGraph.Node]
      package var places: [[Frame]]
      package var events: [Event]
    }

    package var recordings: [Recording]
  }
}
