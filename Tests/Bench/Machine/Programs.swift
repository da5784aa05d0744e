// Small programs with one mistake each, in the style of the published benchmarks of controlled
// scheduling (SCTBench, in P. Thomson, A. F. Donaldson, A. Betts, TOPC 2016, and the papers that
// its programs come from). Written from their descriptions.

extension Program {
  /// All programs, at the sizes of the table that `scripts/strategies` prints.
  package static let benchmarks: [Program] = [
    abba, twoLockedCalls, workStealing, reorder(setters: 4), aba, boundedBuffer, oneCondition,
    twoStage, account, lazy, philosophers(3),
  ]

  /// Two mutexes in opposite orders.
  package static let abba = Program(
    "abba", mutexes: 2,
    strands: [
      [.lock(0), .lock(1), .unlock(1), .unlock(0)], [.lock(1), .lock(0), .unlock(0), .unlock(1)],
    ])

  /// A length that is asked for in one locked call and used in the next.
  package static let twoLockedCalls = Program(
    "two-locked-calls", cells: [3], mutexes: 1,
    strands: [
      [
        .lock(0), .read(0, into: 0), .unlock(0), .lock(0), .read(0, into: 1),
        .check(.register(0), .equal, .register(1)), .unlock(0),
      ],
      [.lock(0), .write(0, 0), .unlock(0)],
    ])

  /// The owner of a queue looks at the head before it says that it takes the last item, and a thief
  /// takes the same item. Cells: head, tail, what the owner took, what the thief took.
  package static let workStealing: Program = {
    let steal: [Instruction] = [
      .read(0, into: 0), .read(1, into: 1), .skipIf(.register(0), .equal, .register(1), 5),
      .skipIf(.register(1), .less, .register(0), 4), .set(2, .register(0)), .add(2, 4),
      .write(.register(2), 1), .add(0, 1), .write(0, .register(0)),
    ]
    return Program(
      "work-stealing", cells: [0, 0, 0, 0, 0, 0],
      strands: [
        [
          .write(1, 1), .write(1, 2), .read(0, into: 0), .read(1, into: 1),
          .skipIf(.register(0), .equal, .register(1), 4), .add(1, .constant(-1)),
          .write(1, .register(1)), .add(1, 2), .write(.register(1), 1),
        ],
        // One steal more than can succeed.
        steal + steal + steal,
      ],
      isRight: { cells in cells[2] + cells[4] < 2 && cells[3] + cells[5] < 2 })
  }()

  /// Threads write one cell and then the other; a reader must see none or both of the writes.
  package static func reorder(setters: Int) -> Program {
    let setter: [Instruction] = [.write(0, 1), .write(1, 1)]
    let checker: [Instruction] = [
      .read(0, into: 0), .read(1, into: 1), .check(.register(0), .equal, .register(1)),
    ]
    return Program(
      "reorder-\(setters)", cells: [0, 0],
      strands: Array(repeating: setter, count: setters) + [checker])
  }

  /// A stack of three nodes; one thread pops while another pops two and pushes the first again.
  /// Cells: the top, the successor of each node, and whether the second was taken by the other.
  package static let aba = Program(
    "aba", cells: [1, 2, 3, 0, 0],
    strands: [
      [
        .read(0, into: 0), .read(.register(0), into: 1),
        .compareAndSwap(0, expected: .register(0), desired: .register(1), into: 2),
      ],
      [
        .compareAndSwap(0, expected: 1, desired: 2, into: 0), .skipIf(.register(0), .equal, 0, 5),
        .compareAndSwap(0, expected: 2, desired: 3, into: 0), .skipIf(.register(0), .equal, 0, 3),
        .write(4, 1), .write(1, 3), .compareAndSwap(0, expected: 3, desired: 1, into: 0),
      ],
    ],
    isRight: { cells in cells[4] == 0 || cells[0] != 2 })

  /// A buffer for two items, whose consumers leave the lock between the check for an item and its
  /// removal. Cells: items, producers that wait, consumers that wait.
  package static let boundedBuffer: Program = {
    /// Waits without the lock until there are items, or room.
    func wait(until isGood: Relation, than items: Int, _ condition: Int, count: Int)
      -> [Instruction]
    {
      [
        .read(0, into: 0), .skipIf(.register(0), isGood, .constant(items), 10),
        .read(.constant(count), into: 1), .add(1, 1), .write(.constant(count), .register(1)),
        .await(condition: condition, mutex: 0), .read(0, into: 0),
        .skipIf(.register(0), isGood, .constant(items), 1), .skip(-4),
        .read(.constant(count), into: 1), .add(1, .constant(-1)),
        .write(.constant(count), .register(1)),
      ]
    }
    func change(by items: Int, _ condition: Int, count: Int) -> [Instruction] {
      [
        .add(0, .constant(items)), .write(0, .register(0)), .read(.constant(count), into: 1),
        .skipIf(.register(1), .equal, 0, 1), .notify(condition: condition, all: false), .unlock(0),
      ]
    }
    let put =
      [.lock(0)] + wait(until: .less, than: 2, 0, count: 1) + [.read(0, into: 0)]
      + change(by: 1, 1, count: 2)
    let get =
      [.lock(0)] + wait(until: .unequal, than: 0, 1, count: 2)
      + [.unlock(0), .lock(0), .read(0, into: 0), .check(.register(0), .unequal, 0)]
      + change(by: -1, 0, count: 1)
    return Program(
      "bounded-buffer", cells: [0, 0, 0], mutexes: 1, conditions: 2,
      strands: [put, put, get, get].map { $0 + $0 + $0 + $0 })
  }()

  /// A buffer for one item, with one condition for both sides and one notification: a producer can
  /// wake a producer, and a consumer a consumer. Cells: items.
  package static let oneCondition: Program = {
    func side(waitsWhile items: Int, then next: Int) -> [Instruction] {
      [
        .lock(0), .read(0, into: 0), .skipIf(.register(0), .unequal, .constant(items), 2),
        .await(condition: 0, mutex: 0), .skip(-4), .write(0, .constant(next)),
        .notify(condition: 0, all: false), .unlock(0),
      ]
    }
    let producer = side(waitsWhile: 1, then: 1)
    let consumer = side(waitsWhile: 0, then: 0)
    return Program(
      "one-condition", cells: [0], mutexes: 1, conditions: 1,
      strands: [producer + producer, consumer, consumer, producer, consumer])
  }()

  /// The second value is made from the first, each under a lock of its own; the reader comes
  /// between.
  package static let twoStage = Program(
    "two-stage", cells: [0, 0], mutexes: 2,
    strands: [
      [
        .lock(0), .write(0, 1), .unlock(0), .lock(1), .read(0, into: 0), .add(0, 1),
        .write(1, .register(0)), .unlock(1),
      ],
      [
        .lock(0), .read(0, into: 0), .unlock(0), .skipIf(.register(0), .equal, 0, 5), .lock(1),
        .read(1, into: 1), .add(0, 1), .check(.register(0), .equal, .register(1)), .unlock(1),
      ],
    ])

  /// The check of a balance fails if the deposit and the withdrawal were both made before it.
  package static let account = Program(
    "account", cells: [10, 0, 0], mutexes: 1,
    strands: [
      [
        .lock(0), .read(0, into: 0), .add(0, 5), .write(0, .register(0)), .write(1, 1), .unlock(0),
      ],
      [
        .lock(0), .read(0, into: 0), .add(0, .constant(-3)), .write(0, .register(0)),
        .write(2, 1), .unlock(0),
      ],
      [
        .lock(0), .read(1, into: 0), .read(2, into: 1), .add(0, .register(1)), .read(0, into: 2),
        .unlock(0), .check(.register(0), .unequal, 2),
      ],
    ])

  /// One strand adds 1, one adds 2, and the third fails if it sees both.
  package static let lazy = Program(
    "lazy", cells: [0], mutexes: 1,
    strands: [
      [.lock(0), .read(0, into: 0), .add(0, 1), .write(0, .register(0)), .unlock(0)],
      [.lock(0), .read(0, into: 0), .add(0, 2), .write(0, .register(0)), .unlock(0)],
      [.lock(0), .read(0, into: 0), .unlock(0), .check(.register(0), .unequal, 3)],
    ])

  /// Each philosopher takes the fork at its left and then the one at its right.
  package static func philosophers(_ count: Int) -> Program {
    Program(
      "philosophers-\(count)", mutexes: count,
      strands: (0..<count).map { left in
        let right = (left + 1) % count
        return [.lock(left), .lock(right), .unlock(right), .unlock(left)]
      })
  }
}
