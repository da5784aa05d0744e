import Dispatch
import Foundation
import Glibc
import Synchronization
import Threadmill

/// Threads that wake each other by pipes, sockets, eventfds and timers: `NAME` never wakes one of
/// them, or not in every order, and `NAME-repaired` does.
extension Bodies {
  static let files: [String: Body] = [
    "event-loop": .code { try EventLoop.run(wakes: false) },
    "event-loop-repaired": .code { try EventLoop.run(wakes: true) },
    "pipe": .code { try Pipes.pass(count: 3, writes: 2) },
    "pipe-repaired": .code { try Pipes.pass(count: 3, writes: 3) },
    "full-pipe": .code { try Pipes.fill(reads: false) },
    "full-pipe-repaired": .code { try Pipes.fill(reads: true) },
    "poll": .code { try Waits.poll(wakes: false) },
    "poll-repaired": .code { try Waits.poll(wakes: true) },
    "select": .code { try Waits.select(wakes: false) },
    "select-repaired": .code { try Waits.select(wakes: true) },
    "pair": .code { try Pipes.pair(answers: false) },
    "pair-repaired": .code { try Pipes.pair(answers: true) },
    "echo": .code { try Echo.run(answers: false) },
    "echo-repaired": .code { try Echo.run(answers: true) },
    "ticks": .code { try Waits.ticks(sets: false) },
    "ticks-repaired": .code { try Waits.ticks(sets: true) },
    "own-signal": .code { try Waits.signal(sends: false) },
    "own-signal-repaired": .code { try Waits.signal(sends: true) },
    // A child decides when it ends.
    "child": .code {
      let child = Process()
      child.executableURL = URL(fileURLWithPath: "/bin/sleep")
      child.arguments = ["0.05"]
      try child.run()
      child.waitUntilExit()
    },
    "child-pipe": .code { try Pipes.childWrites() },
  ]
}

// Glibc's module lacks these.
@_silgen_name("eventfd") private func eventfd(_ value: UInt32, _ flags: Int32) -> Int32
@_silgen_name("eventfd_write") private func raiseCounter(_ file: Int32, _ value: UInt64) -> Int32
@_silgen_name("eventfd_read")
private func takeCounter(_ file: Int32, _ value: UnsafeMutablePointer<UInt64>) -> Int32
@_silgen_name("epoll_create1") private func makeSet(_ flags: Int32) -> Int32
@_silgen_name("epoll_ctl")
private func changeSet(
  _ set: Int32, _ what: Int32, _ file: Int32, _ event: UnsafeMutableRawPointer
) -> Int32
@_silgen_name("epoll_wait")
private func waitForSet(
  _ set: Int32, _ events: UnsafeMutableRawPointer, _ count: Int32, _ limit: Int32
) -> Int32
@_silgen_name("timerfd_create") private func makeTimer(_ clock: Int32, _ flags: Int32) -> Int32
@_silgen_name("timerfd_settime")
private func setTimer(
  _ file: Int32, _ flags: Int32, _ when: UnsafePointer<itimerspec>,
  _ before: UnsafeMutablePointer<itimerspec>?
) -> Int32

/// What a system call has returned; throws if that is an error.
@discardableResult
private func checked<Number: BinaryInteger>(_ result: Number) throws -> Number {
  if result < 0 { throw Wrong(String(cString: strerror(errno))) }
  return result
}

/// A loop that waits for its eventfd, and runs what other threads give it.
private final class EventLoop: @unchecked Sendable {
  private let (wake, set): (Int32, Int32)
  private let jobs = NSLock()
  private var waiting: [@Sendable () -> Void] = []
  private var isOver = false
  private let wakes: Bool

  private init(wakes: Bool) throws {
    self.wakes = wakes
    wake = try checked(eventfd(0, O_NONBLOCK))
    set = try checked(makeSet(0))
    var event: [UInt32] = [UInt32(POLLIN), UInt32(wake), 0, 0]
    try checked(changeSet(set, 1, wake, &event))
  }

  private func give(_ job: @escaping @Sendable () -> Void) {
    jobs.withLock { waiting.append(job) }
    if wakes { _ = raiseCounter(wake, 1) }
  }

  private func loop() {
    var event: [UInt32] = [0, 0, 0, 0]
    while !isOver {
      _ = waitForSet(set, &event, 1, -1)
      var count: UInt64 = 0
      _ = takeCounter(wake, &count)
      let taken = jobs.withLock {
        defer { waiting = [] }
        return waiting
      }
      for job in taken { job() }
    }
    close(wake)
    close(set)
  }

  static func run(wakes: Bool) throws {
    let loop = try EventLoop(wakes: wakes)
    let count = Atomic(0)
    Bodies.onThreads(
      { loop.loop() },
      { for _ in 0..<2 { loop.give { count.add(1, ordering: .relaxed) } } },
      { loop.give { count.add(1, ordering: .relaxed) } },
      {
        for _ in 0..<100 where count.load(ordering: .relaxed) < 3 { usleep(1_000) }
        loop.give { loop.isOver = true }
      })
  }
}

private enum Pipes {
  private static func make() throws -> (reads: Int32, writes: Int32) {
    var ends: [Int32] = [0, 0]
    try checked(pipe(&ends))
    return (ends[0], ends[1])
  }

  /// Numbers through a pipe; fewer than are read, if it is flawed.
  static func pass(count: Int, writes: Int) throws {
    let (input, output) = try make()
    let sum = Cell()
    Bodies.onThreads(
      {
        for _ in 0..<count {
          var byte: UInt8 = 0
          if read(input, &byte, 1) == 1 { sum.value += Int(byte) }
        }
      },
      {
        for number in 1...writes {
          var byte = UInt8(number)
          write(output, &byte, 1)
        }
      })
    close(input)
    close(output)
    if sum.value != count * (count + 1) / 2 { throw Wrong(sum.value) }
  }

  /// More than the pipe has room for.
  static func fill(reads: Bool) throws {
    let (input, output) = try make()
    let size = 200_000
    let got = Cell()
    Bodies.onThreads(
      {
        let bytes = [UInt8](repeating: 1, count: size)
        write(output, bytes, size)
        close(output)
      },
      {
        var bytes = [UInt8](repeating: 0, count: 50_000)
        while reads {
          let count = read(input, &bytes, bytes.count)
          if count <= 0 { break }
          got.value += count
        }
      })
    close(input)
    if got.value != size { throw Wrong(got.value) }
  }

  static func pair(answers: Bool) throws {
    var ends: [Int32] = [0, 0]
    try checked(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends))
    let (one, other) = (ends[0], ends[1])
    let got = Cell()
    Bodies.onThreads(
      {
        var byte: UInt8 = 7
        send(one, &byte, 1, 0)
        if recv(one, &byte, 1, 0) == 1 { got.value = Int(byte) }
      },
      {
        var byte: UInt8 = 0
        recv(other, &byte, 1, 0)
        byte += 1
        if answers { send(other, &byte, 1, 0) }
      })
    close(one)
    close(other)
    if got.value != 8 { throw Wrong(got.value) }
  }

  static func childWrites() throws {
    let (child, pipe) = (Process(), Pipe())
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = ["-c", "sleep 0.05; echo hello"]
    child.standardOutput = pipe
    try child.run()
    let said = pipe.fileHandleForReading.readDataToEndOfFile()
    child.waitUntilExit()
    if String(decoding: said, as: UTF8.self) != "hello\n" { throw Wrong(said) }
  }
}

private enum Waits {
  static func poll(wakes: Bool) throws {
    let file = try checked(eventfd(0, 0))
    let seen = Cell()
    Bodies.onThreads(
      {
        var wanted = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        seen.value = Int(Glibc.poll(&wanted, 1, wakes ? 60_000 : -1))
      }, { if wakes { _ = raiseCounter(file, 1) } })
    close(file)
    if seen.value != 1 { throw Wrong(seen.value) }
  }

  static func select(wakes: Bool) throws {
    var ends: [Int32] = [0, 0]
    try checked(pipe(&ends))
    let (input, output) = (ends[0], ends[1])
    let seen = Cell()
    Bodies.onThreads(
      {
        var files = fd_set()
        withUnsafeMutableBytes(of: &files) { $0[Int(input) / 8] = 1 << UInt8(input % 8) }
        seen.value = Int(Glibc.select(input + 1, &files, nil, nil, nil))
      },
      {
        var byte: UInt8 = 1
        if wakes { write(output, &byte, 1) }
      })
    close(input)
    close(output)
    if seen.value != 1 { throw Wrong(seen.value) }
  }

  /// An hour of virtual time.
  static func ticks(sets: Bool) throws {
    let timer = try checked(makeTimer(Int32(CLOCK_MONOTONIC), 0))
    var when = itimerspec()
    when.it_value.tv_sec = 3_600
    when.it_interval.tv_sec = 60
    if sets { try checked(setTimer(timer, 0, &when, nil)) }
    let ticks = Cell()
    let began = DispatchTime.now().uptimeNanoseconds
    Bodies.onThreads(
      {
        for _ in 0..<3 {
          var count: UInt64 = 0
          if read(timer, &count, 8) == 8 { ticks.value += Int(count) }
        }
      }, { usleep(10) })
    close(timer)
    let seconds = (DispatchTime.now().uptimeNanoseconds - began) / 1_000_000_000
    if ticks.value != 3 || seconds != 3_720 { throw Wrong("\(ticks.value) \(seconds)") }
  }

  static func signal(sends: Bool) throws {
    var wanted = sigset_t()
    sigemptyset(&wanted)
    sigaddset(&wanted, SIGUSR2)
    pthread_sigmask(SIG_BLOCK, &wanted, nil)
    let got = Cell()
    let waiter = Mutex<pthread_t?>(nil)
    let mask = wanted
    Bodies.onThreads(
      {
        var (mask, number) = (mask, Int32(0))
        waiter.withLock { $0 = pthread_self() }
        sigwait(&mask, &number)
        got.value = Int(number)
      },
      {
        while waiter.withLock({ $0 == nil }) { usleep(1) }
        if sends, let thread = waiter.withLock({ $0 }) { pthread_kill(thread, SIGUSR2) }
      })
    if got.value != SIGUSR2 { throw Wrong(got.value) }
  }
}

/// A server and its client, over the network of this machine.
private enum Echo {
  static func run(answers: Bool) throws {
    let server = try checked(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    _ = try with(&address) { try checked(bind(server, $0, $1)) }
    try checked(listen(server, 4))
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try with(&address) { place, _ in
      try checked(getsockname(server, UnsafeMutablePointer(mutating: place), &size))
    }
    let place = address
    let got = Cell()
    Bodies.onThreads(
      {
        for _ in 0..<2 { serve(accept(server, nil, nil), answers: answers) }
      }, { talk(place, got) }, { talk(place, got) })
    close(server)
    if got.value != 10 { throw Wrong(got.value) }
  }

  private static func serve(_ connection: Int32, answers: Bool) {
    var bytes = [UInt8](repeating: 0, count: 8)
    var count = read(connection, &bytes, 8)
    if answers { write(connection, bytes, count) }
    while !answers, count > 0 { count = read(connection, &bytes, 8) }
    close(connection)
  }

  private static func talk(_ place: sockaddr_in, _ got: Cell) {
    var place = place
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let connected = try? with(&place) { connect(file, $0, $1) }
    if connected == 0 {
      send(file, "hello", 5, Int32(MSG_NOSIGNAL))
      var bytes = [UInt8](repeating: 0, count: 8)
      got.value += max(0, recv(file, &bytes, 8, 0))
    }
    close(file)
  }

  private static func with<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
  ) rethrows -> Result {
    try withUnsafeMutablePointer(to: &address) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
