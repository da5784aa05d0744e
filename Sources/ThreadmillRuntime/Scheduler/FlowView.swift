#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel

  /// What the gate says of one flow of an exploration, copied.
  struct FlowView {
    enum Sort: Equatable {
      case thread(name: String?)
      /// A block, given to a queue with a label, or without one.
      case block(label: String?)
      /// A job of the Swift runtime; `nil` where it is not known whose.
      case job(task: UInt32?)
    }

    let number: UInt32
    let sort: Sort
    /// What makes a task go on after `Task.yield`, and is a part of that.
    let isYield: Bool
    let hasBegun: Bool
    let canGoOn: Bool
    let operation: OperationKind
    /// The flow whose end it waits for.
    let joins: UInt32?
    /// Tells objects apart; `nil` for none.
    let address: UInt?
    /// The file that it is done to: `eventfd 5`; `nil` for none.
    let file: String?
    /// That is the main queue, or the main actor.
    let isMain: Bool
    let object: (kind: SharedObject.Kind, name: String)?
    /// Bare addresses.
    let stack: Backtrace

    init(_ view: tm_flow_view) {
      (number, hasBegun, canGoOn) = (view.number, view.has_begun, view.can_go_on)
      operation = OperationKind(rawValue: view.kind) ?? .other
      isYield = view.is_yield
      joins = view.joined < 0 ? nil : UInt32(view.joined)
      address = view.at.map { UInt(bitPattern: $0) }
      isMain = view.is_main
      let label = view.label.map { String(cString: $0) } ?? ""
      sort =
        if view.is_thread {
          .thread(name: tm_thread_view.systemName(view.name))
        } else if view.is_job {
          .job(task: view.task == 0 ? nil : view.task)
        } else {
          .block(label: label.isEmpty ? nil : label)
        }
      object = Self.name(of: view.object)
      let file = withUnsafeBytes(of: view.file) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      self.file = file.isEmpty ? nil : file
      stack = withUnsafeBytes(of: view.stack) {
        Backtrace(
          $0.bindMemory(to: UInt.self).baseAddress, count: min(view.stack_count, UInt32($0.count)))
      }
    }

    /// Whether it is a block that XCTest has given to a queue of its own.
    var isOnQueueOfXCTest: Bool {
      guard case .block(let label?) = sort else { return false }
      return label.hasPrefix("org.swift.XCTest")
    }

    /// The one with this number; `nil` where it is over.
    static func of(_ number: UInt32) -> FlowView? {
      var found: [FlowView] = []
      gather(&found) { tm_flow_describe(number, $0, $1) }
      return found.first
    }

    /// All that are not over.
    static var all: [FlowView] {
      var found: [FlowView] = []
      gather(&found) { tm_flows_describe($0, $1) }
      return found
    }

    private static func gather(
      _ views: inout [FlowView],
      _ ask: (tm_flow_listener, UnsafeMutableRawPointer) -> Void
    ) {
      withUnsafeMutablePointer(to: &views) { views in
        ask(
          { view, context in
            guard let view, let context else { return }
            context.assumingMemoryBound(to: [FlowView].self).pointee.append(FlowView(view.pointee))
          }, UnsafeMutableRawPointer(views))
      }
    }

    private static func name(of view: tm_object_view) -> (kind: SharedObject.Kind, name: String)? {
      guard view.id != 0 else { return nil }
      let object = view.sharedObject
      if let label = object.label, !label.isEmpty {
        return (object.kind, "\(object.kind.noun) \"\(label)\"")
      }
      return (object.kind, "\(object.kind.noun) \(object.id)")
    }
  }
#endif
