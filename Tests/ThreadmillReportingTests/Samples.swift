import ThreadmillModel

/// Findings as a run would make them, one for each kind; the golden texts are made from these.
enum Samples {
  static let folder = "/home/me/bank"

  static func user(_ function: String, _ file: String, _ line: Int) -> Frame {
    Frame(
      address: 0x1000, function: function, file: "\(folder)/\(file)", line: line, column: 5,
      image: "BankTests")
  }

  static func system(_ function: String, _ image: String) -> Frame {
    Frame(address: 0x2000, function: function, image: image, offset: 0x1c, isSystem: true)
  }

  static let libraryLock = system("NSLock.lock()", "libFoundation.so")
  static let worker = [
    system("_dispatch_call_block_and_release", "libdispatch.so"),
    system("_dispatch_worker_thread", "libdispatch.so"), system("start_thread", "libc.so.6"),
  ]
  static let transfer = user("Bank.transfer(from:to:)", "Sources/Bank.swift", 41)
  static let audit = user("Bank.audit(_:)", "Sources/Bank+Audit.swift", 112)
  static let test = user("closure #1 in opposite()", "Tests/BankTests.swift", 9)

  static let submission = [
    system("DispatchQueue.async(execute:)", "libswiftDispatch.so"),
    user("Teller.serve(_:)", "Sources/Teller.swift", 27),
  ]

  static let teller = Execution(
    queues: [
      .init(id: LockID(20), kind: .serialQueue, label: "teller"),
      .init(id: LockID(21), kind: .concurrentQueue),
    ], root: .utility, group: LockID(3))

  static let first = SharedObject(
    id: LockID(1), kind: .mutex,
    created: [libraryLock, user("Account.init(owner:)", "Sources/Account.swift", 12)])
  static let second = SharedObject(
    id: LockID(12), kind: .serialQueue, label: "audit",
    created: [Frame(address: 1, function: "Journal.init()", image: "libJournal.so", offset: 0x2a)])
  static let third = SharedObject(id: LockID(3), kind: .semaphore)
  static let fourth = SharedObject(
    id: LockID(4), kind: .mutex,
    variable: Frame(
      address: 0, function: "Bank.register", file: "\(folder)/Sources/Bank.swift", line: 7,
      image: "BankTests"))

  /// Two threads, two objects, each thread holding what the other waits for.
  static func cycle() -> [Finding.Participant] {
    [
      Finding.Participant(
        thread: ThreadID(3), threadName: "worker", role: "holds L1 and waits for L12",
        frames: [libraryLock, transfer, test] + worker,
        holds: [
          .init(
            object: LockID(1), frames: [user("Bank.transfer(from:to:)", "Sources/Bank.swift", 40)])
        ],
        wants: LockID(12), submitted: submission, runs: teller),
      Finding.Participant(
        thread: ThreadID(14), role: "holds L12 and waits for L1",
        frames: [
          audit,
          Frame(address: 1, function: "Journal.close()", image: "libJournal.so", offset: 0x110),
          Frame(address: 1, image: "plugin.so", offset: 0x7f10),
        ] + worker,
        holds: [.init(object: LockID(12), mode: .shared, frames: [])], wants: LockID(1)),
    ]
  }

  /// One thread that does one thing.
  static func alone(_ role: String, _ frames: Backtrace = [libraryLock, transfer, test] + worker)
    -> [Finding.Participant]
  {
    [Finding.Participant(thread: ThreadID(1), threadName: "main", role: role, frames: frames)]
  }

  /// Two threads that touch the same thing.
  static func pair(_ one: String, _ other: String) -> [Finding.Participant] {
    [
      Finding.Participant(thread: ThreadID(3), role: one, frames: [transfer, test] + worker),
      Finding.Participant(thread: ThreadID(4), role: other, frames: [audit] + worker),
    ]
  }
}
