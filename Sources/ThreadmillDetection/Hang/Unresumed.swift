import ThreadmillModel

/// Tasks of a standstill that are suspended. No thread waits for these tasks, so they make findings
/// of their own, one for each mistake: an error for tasks that keep tests from their end, a note
/// for the others, which may wait by design.
struct Unresumed {
  private let chains: [AwaitChain]
  private let tests: [String]

  /// - Parameters:
  ///   - chains: those that lead to no thread of the standstill.
  ///   - standstill: the threads and tasks that the chains are a part of.
  static func findings(of chains: [AwaitChain], in standstill: Standstill) -> [Finding] {
    let explained = standstill.testsWithCause
    func kept(_ chain: AwaitChain) -> [String] { chain.tests { !explained.contains($0) } }
    var mistakes: [[AwaitChain]] = []
    for chain in chains where !kept(chain).isEmpty {
      if let index = mistakes.firstIndex(where: { $0[0].shape == chain.shape }) {
        mistakes[index].append(chain)
      } else {
        mistakes.append([chain])
      }
    }
    let others = chains.filter { kept($0).isEmpty }
    return (mistakes + (others.isEmpty ? [] : [others])).map { alike in
      Unresumed(chains: alike, tests: Set(alike.flatMap(kept)).sorted()).finding
    }
  }

  private var finding: Finding {
    let told = tests.isEmpty ? AwaitChain(joining: chains) : chains[0]
    let more = tests.isEmpty ? 0 : chains.count - 1
    let rest = more > 0 ? [Finding.Fact("\(more) more like this")] : []
    return Finding(
      kind: .hang, status: .observed, severity: tests.isEmpty ? .note : .error, title: title,
      participants: [], objects: told.objects,
      facts: told.facts { "task \($0)" } + rest, tests: tests)
  }

  private var title: String {
    let ends = chains.flatMap(\.ends)
    guard let end = ends.first else { return "Hang: tasks wait for each other" }
    guard ends.count > 1 else { return "Hang: a task waits for \(end.title)" }
    return "Hang: \(ends.count) tasks wait for \(end.titleOfMany)"
  }
}

extension Standstill {
  /// The tests of which it is known what keeps them from their end: a thread, or their own task.
  fileprivate var testsWithCause: Set<String> {
    Set(threads.flatMap(\.tests) + tasks.filter(\.isRoot).flatMap(\.tests))
  }
}

extension SuspendedTask {
  fileprivate var title: String {
    switch awaited {
    case .continuation(let object):
      "\(object?.displayName ?? "a continuation"), which nobody has resumed"
    case .task: "another task, which does not end"
    case .group: "the tasks of its group, which do not end"
    case .turn(let actor): "its turn on \(actor?.displayName ?? "a thread")"
    case .unknown: "something that is not known"
    }
  }

  fileprivate var titleOfMany: String {
    switch awaited {
    case .continuation: "continuations that nobody has resumed"
    case .task: "tasks that do not end"
    case .group: "groups whose tasks do not end"
    case .turn: "their turn"
    case .unknown: "something that is not known"
    }
  }
}

extension AwaitChain {
  /// The tests that cannot end before the chain has gone on.
  ///
  /// - Parameter isKeptByAny: whether any task of the test may be what keeps it from its end.
  fileprivate func tests(isKeptByAny: (String) -> Bool) -> [String] {
    let all = tasks.flatMap { task in
      task.isRoot || task.awaitsUsersContinuation ? task.tests : task.tests.filter(isKeptByAny)
    }
    return Set(all).sorted()
  }

  /// The objects that reports name.
  fileprivate var objects: [SharedObject] {
    tasks.compactMap { task in
      switch task.awaited {
      case .continuation(let object), .turn(let object): object
      case .task, .group, .unknown: nil
      }
    }
  }
}
